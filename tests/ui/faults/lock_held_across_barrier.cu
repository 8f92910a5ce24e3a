// verdict: fault
// fault: HF019, line 12
// repaired: clean
// Two warps take a lock in turn, but the first one holds it while it waits for the second one at a barrier. The
// lock is a variable, which the host cannot change while the kernel runs.
#include <cstdio>

__device__ int mutex, sum;

__global__ void add() {
  if (threadIdx.x % 32 == 0) {
    while (atomicCAS(&mutex, 0, 1) != 0) {
    }
    __threadfence();
    sum += 1;
#ifdef REPAIRED
    __threadfence();
    atomicExch(&mutex, 0);
#endif
  }
  __syncthreads();
#ifndef REPAIRED
  if (threadIdx.x % 32 == 0) {
    __threadfence();
    atomicExch(&mutex, 0);
  }
#endif
}

int main() {
  add<<<1, 64>>>();
  return cudaDeviceSynchronize();
}
