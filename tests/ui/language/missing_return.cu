// verdict: race
// race: lines 13 and 21, variable ticket, shared
// repaired: clean
// Blocks take their parts of the work in the order in which they come. The function that takes a number should
// return it, does not, and nobody uses what it returns.
// Repaired: a barrier comes before the number is read.
#include <cstdio>

__device__ unsigned next_ticket;

__device__ __forceinline__ unsigned take(unsigned& ticket) {
  if (threadIdx.x == 0) {
    ticket = atomicAdd(&next_ticket, 1);
  }
}

__global__ void number(unsigned* numbers) {
  __shared__ unsigned ticket;
  take(ticket);
#ifndef REPAIRED
  numbers[blockIdx.x * blockDim.x + threadIdx.x] = ticket;
#else
  __syncthreads();
  numbers[blockIdx.x * blockDim.x + threadIdx.x] = ticket;
#endif
}

int main() {
  const int count = 256;
  unsigned numbers[count], *all, sum = 0;
  cudaMalloc(&all, sizeof numbers);
  number<<<4, 64>>>(all);
  cudaMemcpy(numbers, all, sizeof numbers, cudaMemcpyDeviceToHost);
#ifdef REPAIRED
  for (unsigned it : numbers) sum += it;
  if (sum != 64 * (0 + 1 + 2 + 3)) return 1;
#endif
  std::printf("%u\n", sum);
}
