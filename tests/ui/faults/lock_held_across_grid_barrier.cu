// verdict: fault
// fault: HF019, line 14
// fault: HF019, line 23
// repaired: clean
// A block takes a lock and waits for the others at a barrier of the whole grid. They wait for the lock.
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

__device__ int mutex, sum;

__global__ void add() {
  if (threadIdx.x == 0) {
    while (atomicCAS(&mutex, 0, 1) != 0) {
    }
    __threadfence();
    sum += 1;
#ifdef REPAIRED
    __threadfence();
    atomicExch(&mutex, 0);
#endif
  }
  cg::this_grid().sync();
#ifndef REPAIRED
  if (threadIdx.x == 0) {
    __threadfence();
    atomicExch(&mutex, 0);
  }
#endif
}

int main() {
  cudaLaunchCooperativeKernel((void*)add, dim3(4), dim3(32), nullptr, 0, 0);
  return cudaDeviceSynchronize();
}
