// verdict: race
// race: lines 11 and 27, variable count, global
// repaired: clean
// A `__managed__` variable is memory that both sides access. The stream that the host waits for is
// not the one of the kernel.
#include <cstdio>

__managed__ int count;

__global__ void count_odd(const int* data) {
  if (data[threadIdx.x] % 2 == 1) atomicAdd(&count, 1);
}

int main() {
  int* data;
  cudaMallocManaged(&data, 64 * sizeof(int));
  for (int i = 0; i < 64; ++i) data[i] = 3 * i;
  cudaStream_t first, second;
  cudaStreamCreate(&first);
  cudaStreamCreate(&second);
  count_odd<<<1, 64, 0, first>>>(data);
#ifndef REPAIRED
  cudaStreamSynchronize(second);
#else
  cudaStreamSynchronize(first);
#endif
  std::printf("%d\n", count);
  cudaDeviceSynchronize();
  return count == 32 ? 0 : 1;
}
