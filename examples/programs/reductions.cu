// Sums, extremes and dot products by one generic reduction, whose block size is a template
// argument, with dynamic shared memory of any type and a grid as large as the device can hold.
//
//   reductions [COUNT [SEED]]
#include <algorithm>
#include <cfloat>
#include <climits>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <random>
#include <type_traits>
#include <vector>

#include <cuda_runtime.h>
#include <cuda_runtime_api.h>

#define checkCudaErrors(val) check_result((val), #val, __FILE__, __LINE__)

template <typename T>
void check_result(T result, char const* const func, const char* const file, int const line) {
  if (result) {
    fprintf(stderr, "CUDA error at %s:%d code=%d(%s) \"%s\" \n", file, line, static_cast<unsigned int>(result),
            cudaGetErrorName(result), func);
    exit(EXIT_FAILURE);
  }
}

// One name for dynamic shared memory of every type: an `extern` array can have only one type.
template <class T>
struct SharedMemory {
  __device__ inline operator T*() {
    extern __shared__ unsigned char bytes_of_all[];
    return reinterpret_cast<T*>(bytes_of_all);
  }
};

template <class T>
struct Plus {
  static __host__ __device__ constexpr T identity() { return T(0); }
  __host__ __device__ T operator()(T a, T b) const { return a + b; }
};
template <class T>
struct Maximum {
  static __host__ __device__ constexpr T identity() { return std::is_floating_point<T>::value ? T(-FLT_MAX) : T(INT_MIN); }
  __host__ __device__ T operator()(T a, T b) const { return b < a ? a : b; }
};

template <class T, unsigned Block, class Operation>
__device__ T reduce_block(T mine, T* s, Operation op) {
  const unsigned t = threadIdx.x;
  s[t] = mine;
  __syncthreads();
  if constexpr (Block >= 512) {
    if (t < 256) s[t] = mine = op(mine, s[t + 256]);
    __syncthreads();
  }
  if constexpr (Block >= 256) {
    if (t < 128) s[t] = mine = op(mine, s[t + 128]);
    __syncthreads();
  }
  if constexpr (Block >= 128) {
    if (t < 64) s[t] = mine = op(mine, s[t + 64]);
    __syncthreads();
  }
  if (t < 32) {
    if constexpr (Block >= 64) mine = op(mine, s[t + 32]);
    // The last warp, whose lanes have to wait for one another explicitly.
    for (unsigned offset = 16; offset > 0; offset /= 2) {
#ifndef RACE
      __syncwarp();
#endif
      s[t] = mine;  // for the lane below
      __syncwarp();
      if (t < offset) mine = op(mine, s[t + offset]);
    }
  }
  return mine;
}

// `load(i)` is the i-th number. Each block writes one result.
template <class T, unsigned Block, class Load, class Operation>
__global__ void __launch_bounds__(Block) reduce(Load load, T* results, size_t count, Operation op) {
  T* const s = SharedMemory<T>();
  T mine = Operation::identity();
  for (size_t i = blockIdx.x * Block + threadIdx.x; i < count; i += Block * gridDim.x) mine = op(mine, load(i));
  mine = reduce_block<T, Block>(mine, s, op);
  if (threadIdx.x == 0) results[blockIdx.x] = mine;
}

template <class T>
struct FromArray {
  const T* data;
  __device__ T operator()(size_t i) const { return data[i]; }
};
template <class T>
struct Products {
  const T *a, *b;
  __device__ T operator()(size_t i) const { return a[i] * b[i]; }
};

template <class T, unsigned Block, class Load, class Operation>
T reduce_in_two_steps(Load load, size_t count, Operation op) {
  const auto kernel = reduce<T, Block, Load, Operation>;
  const auto last = reduce<T, Block, FromArray<T>, Operation>;
  const size_t bytes = Block * sizeof(T);
  int device = 0, processors = 0, per_processor = 0;
  checkCudaErrors(cudaGetDevice(&device));
  checkCudaErrors(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device));
  checkCudaErrors(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&per_processor, kernel, Block, bytes));
  const size_t needed = std::max<size_t>((count + Block - 1) / Block, 1);
  const unsigned blocks = static_cast<unsigned>(std::min({needed, size_t(processors) * per_processor, size_t(64)}));

  T *partial, result;
  checkCudaErrors(cudaMalloc((void**)&partial, (blocks + 1) * sizeof(T)));
  kernel<<<blocks, Block, bytes>>>(load, partial, count, op);
  last<<<1, Block, bytes>>>(FromArray<T>{partial}, partial + blocks, blocks, op);
  checkCudaErrors(cudaGetLastError());
  checkCudaErrors(cudaMemcpy(&result, partial + blocks, sizeof(T), cudaMemcpyDeviceToHost));
  checkCudaErrors(cudaFree(partial));
  return result;
}

// The block size as a template argument, chosen at run time.
template <class T, class Load, class Operation>
T reduce_with(unsigned block, Load load, size_t count, Operation op) {
  switch (block) {
    case 512: return reduce_in_two_steps<T, 512>(load, count, op);
    case 128: return reduce_in_two_steps<T, 128>(load, count, op);
    default: return reduce_in_two_steps<T, 32>(load, count, op);
  }
}

template <class T>
bool test(const char* type, size_t count, std::mt19937& random, double tolerance) {
  std::vector<T> a(count), b(count);
  for (T& value : a) value = static_cast<T>(static_cast<int>(random() % 201) - 100);
  for (T& value : b) value = static_cast<T>(random() % 10);
  T *device_a, *device_b;
  const size_t bytes = count * sizeof(T);
  checkCudaErrors(cudaMalloc((void**)&device_a, bytes));
  checkCudaErrors(cudaMalloc((void**)&device_b, bytes));
  checkCudaErrors(cudaMemcpy(device_a, a.data(), bytes, cudaMemcpyHostToDevice));
  checkCudaErrors(cudaMemcpy(device_b, b.data(), bytes, cudaMemcpyHostToDevice));

  const double sum = std::accumulate(a.begin(), a.end(), 0.0);
  const double largest = *std::max_element(a.begin(), a.end());
  const double product = std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
  bool right = true;
  for (unsigned block = 32; block <= 512; block *= 4) {
    const double got_sum = reduce_with<T>(block, FromArray<T>{device_a}, count, Plus<T>{});
    const double got_largest = reduce_with<T>(block, FromArray<T>{device_a}, count, Maximum<T>{});
    const double got_product = reduce_with<T>(block, Products<T>{device_a, device_b}, count, Plus<T>{});
    if (std::fabs(got_sum - sum) > tolerance || got_largest != largest || std::fabs(got_product - product) > tolerance) {
      printf("reductions: %s, blocks of %u: %g %g %g, not %g %g %g, FAILED\n", type, block, got_sum, got_largest,
             got_product, sum, largest, product);
      right = false;
    }
  }
  checkCudaErrors(cudaFree(device_a));
  checkCudaErrors(cudaFree(device_b));
  return right;
}

int main(int argc, char** argv) {
  const size_t count = argc > 1 ? std::strtoul(argv[1], nullptr, 10) : 3000;
  std::mt19937 random(argc > 2 ? std::atoi(argv[2]) : 10);
  if (count == 0) return 2;
  bool right = test<int>("int", count, random, 0);
  right &= test<float>("float", count, random, 1);
  if (!right) return 1;
  printf("reductions: %zu numbers, passed\n", count);
  return 0;
}
