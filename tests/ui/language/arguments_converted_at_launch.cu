// verdict: race
// race: lines 64 and 64, variable sum, global
// repaired: clean
// Objects that own device memory are arguments of kernels that take pointers and views: the launch converts them, and
// copies none.
#include <cstdio>
#include <utility>

template <class T>
class Owner {
 public:
  explicit Owner(int count) : count_(count) { cudaMalloc(&data_, count * sizeof(T)); }
  ~Owner() { cudaFree(data_); }
  Owner(const Owner&) = delete;
  Owner& operator=(const Owner&) = delete;
  operator T*() { return data_; }
  operator const T*() const { return data_; }
  int count() const { return count_; }

 private:
  T* data_ = nullptr;
  int count_;
};

// A copy has memory of its own.
class Copied {
 public:
  explicit Copied(int count) : count_(count) {
    cudaMalloc(&data_, count * sizeof(float));
    cudaMemset(data_, 0, count * sizeof(float));
  }
  Copied(const Copied& other) : Copied(other.count_) {
    ++copies;
    cudaMemcpy(data_, other.data_, count_ * sizeof(float), cudaMemcpyDeviceToDevice);
  }
  ~Copied() { cudaFree(data_); }
  operator float*() const { return data_; }
  int count() const { return count_; }
  static int copies;

 private:
  float* data_ = nullptr;
  int count_;
};
int Copied::copies = 0;

struct View {
  View(const Copied& from) : data(from), count(from.count()) {}
  float* data;
  int count;
};

__global__ void fill(float* to, float value) { to[threadIdx.x] = value; }

__global__ void scale(View view, float factor) {
  if (threadIdx.x < view.count) view.data[threadIdx.x] *= factor;
}

template <class T>
__global__ void total(const T* from, T* sum) {
#ifdef REPAIRED
  atomicAdd(sum, from[threadIdx.x]);
#else
  *sum += from[threadIdx.x];
#endif
}

struct Owners {
  Owner<float> first{32};
  Copied second{32};
};

int main() {
  Owners all;
  Owner<float> sum(1);
  const float zero = 0;
  cudaMemcpy(static_cast<float*>(sum), &zero, sizeof zero, cudaMemcpyHostToDevice);
  fill<<<1, all.first.count()>>>(all.first, 2);
  fill<<<1, 32>>>(all.second, 3);
  scale<<<1, 32>>>(all.second, 2);
  const Owner<float>& from = all.first;
  total<float><<<1, 32>>>(from, sum);
  float element = 0;
  cudaMemcpy(&element, all.second, sizeof element, cudaMemcpyDeviceToHost);
  const bool right = element == 6 && Copied::copies == 0;
  std::printf("%s\n", right ? "right" : "wrong");
  return right ? 0 : 1;
}
