// verdict: race
// repaired: clean
// race: lines 41 and 46, variable numbers, shared
//
// A segment of an array comes by a bulk copy, for which a barrier counts the bytes, is changed and goes back by another
// one (CUDA C++ Programming Guide, "Using TMA to transfer one-dimensional arrays"). Then the buffer is used again.
// Repaired: not before the store has read it.
#include <cstdint>
#include <cuda/barrier>
#include <cuda_runtime.h>

using barrier = cuda::barrier<cuda::thread_scope_block>;
namespace copies = cuda::device::experimental;

constexpr int segment = 256;

__global__ void add_one(int* data) {
  __shared__ alignas(16) int numbers[segment];
#pragma nv_diag_suppress static_var_with_dynamic_init
  __shared__ barrier full;
  const int first = blockIdx.x * segment;
  if (threadIdx.x == 0) {
    init(&full, blockDim.x);
    copies::fence_proxy_async_shared_cta();
  }
  __syncthreads();

  barrier::arrival_token token;
  if (threadIdx.x == 0) {
    copies::cp_async_bulk_global_to_shared(numbers, data + first, sizeof(numbers), full);
    token = cuda::device::barrier_arrive_tx(full, 1, sizeof(numbers));
  } else {
    token = full.arrive();
  }
  full.wait(std::move(token));
  for (int i = threadIdx.x; i < segment; i += blockDim.x) numbers[i] += 1;
  copies::fence_proxy_async_shared_cta();
  __syncthreads();

  if (threadIdx.x == 0) {
    copies::cp_async_bulk_shared_to_global(data + first, numbers, sizeof(numbers));
    copies::cp_async_bulk_commit_group();
#ifdef REPAIRED
    copies::cp_async_bulk_wait_group_read<0>();
#endif
    for (int i = 0; i < 4; ++i) numbers[i] = 0;
  }
}

int main() {
  constexpr int n = 4 * segment;
  static int h[n];
  for (int i = 0; i < n; ++i) h[i] = i;
  int* data;
  cudaMalloc(&data, sizeof h);
  cudaMemcpy(data, h, sizeof h, cudaMemcpyHostToDevice);
  add_one<<<4, 64>>>(data);
  cudaMemcpy(h, data, sizeof h, cudaMemcpyDeviceToHost);
  cudaFree(data);
  int wrong = 0;
  for (int i = 0; i < n; ++i) wrong += h[i] != i + 1;
  return wrong != 0;
}
