// verdict: fault
// fault: HF019, line 8
// repaired: clean
// A lock that is not released on one of two paths.
#include <cstdio>

__device__ void lock(int* mutex) {
  while (atomicCAS(mutex, 0, 1) != 0) {
  }
}

__global__ void locked(int* mutex, int* sum) {
  lock(mutex);
  const int old = atomicAdd(sum, 1);
#ifdef REPAIRED
  atomicExch(mutex, old < 0);
#else
  if (old < 100) atomicExch(mutex, 0);
#endif
  __syncthreads();
}

int main() {
  int* memory;
  cudaMalloc(&memory, 2 * sizeof(int));
  cudaMemset(memory, 0, 2 * sizeof(int));
  locked<<<2, 64>>>(memory, memory + 1);
  return cudaDeviceSynchronize();
}
