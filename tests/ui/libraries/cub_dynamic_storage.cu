// verdict: race
// race: lines 31 and 48, variable storage, shared
// repaired: clean
// A reduction class whose storage in dynamic shared memory is shared with the caller, which
// uses the storage before all threads have left the reduction;
// and a scan over a two-dimensional block.
// Repaired: a barrier comes before the caller's use.
#include <cstdio>

#include <cub/block/block_reduce.cuh>
#include <cub/block/block_scan.cuh>
#include <cub/thread/thread_load.cuh>

struct Smaller {
  template <class T>
  __device__ T operator()(const T& a, const T& b) const {
    return a < b ? a : b;
  }
};

template <int kThreads, class T>
struct Total {
  using Reduce = cub::BlockReduce<T, kThreads>;
  struct Storage {
    typename Reduce::TempStorage reduce;
    T total;
  };
  Storage& storage;
  __device__ Total(Storage& s) : storage(s) {}
  __device__ T of(T value) {
    T sum = Reduce(storage.reduce).Sum(value);
#ifdef REPAIRED
    if (threadIdx.x == 0) storage.total = sum;
    __syncthreads();
    return storage.total;
#else
    return sum;
#endif
  }
};

__global__ void totals(const float* in, float* out) {
  extern __shared__ __align__(16) char raw[];
  using Sum = Total<64, float>;
  auto& storage = reinterpret_cast<typename Sum::Storage&>(raw);
  float value = cub::ThreadLoad<cub::LOAD_LDG>(in + threadIdx.x);
  float total = Sum(storage).of(value);
  float least = cub::BlockReduce<float, 64>(storage.reduce).Reduce(value, Smaller());
  out[threadIdx.x] = threadIdx.x == 0 ? total - least : total;
}

__global__ void scan_square(int* data) {
  using Scan = cub::BlockScan<int, 8, cub::BLOCK_SCAN_WARP_SCANS, 8>;
  __shared__ typename Scan::TempStorage storage;
  int* item = data + threadIdx.y * 8 + threadIdx.x;
  int sum;
  Scan(storage).InclusiveSum(*item, sum);
  *item = sum;
}

int main() {
  float *in, *out;
  int* data;
  cudaMallocManaged(&in, 64 * sizeof(float));
  cudaMallocManaged(&out, 64 * sizeof(float));
  cudaMallocManaged(&data, 64 * sizeof(int));
  for (int i = 0; i < 64; ++i) {
    in[i] = static_cast<float>(i + 1);
    data[i] = 1;
  }
  totals<<<1, 64, 1024>>>(in, out);
  scan_square<<<1, dim3(8, 8)>>>(data);
  cudaDeviceSynchronize();
#ifdef REPAIRED
  int wrong = out[0] != 2079 || out[63] != 2080;
  for (int i = 0; i < 64; ++i) wrong += data[i] != i + 1;
  if (wrong != 0) std::printf("%d values are wrong: %g %g\n", wrong, out[0], out[63]);
  return wrong;
#else
  return 0;
#endif
}
