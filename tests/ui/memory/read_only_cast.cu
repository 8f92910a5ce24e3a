// verdict: race
// race: lines 11 and 15, variable in, global
// race: lines 22 and 26, variable in, global
// repaired: clean
// Writes that the types of a kernel's parameters do not show: by a function that casts away const,
// and by inline PTX. Each thread reads an element, and writes its neighbour's. Repaired: a barrier
// between the two.
#include <cuda_runtime.h>

__device__ void put(const int* place, int value) {
  *const_cast<int*>(place) = value;
}

__global__ void by_cast(const int* in) {
  const int mine = in[threadIdx.x];
#ifdef REPAIRED
  __syncthreads();
#endif
  put(in + (threadIdx.x + 1) % blockDim.x, mine);
}
__global__ void by_ptx(const int* in) {
  const int mine = in[threadIdx.x];
#ifdef REPAIRED
  __syncthreads();
#endif
  asm volatile("st.global.s32 [%0], %1;" ::"l"(in + (threadIdx.x + 1) % blockDim.x), "r"(mine) : "memory");
}

int main() {
  constexpr int n = 256;
  int *a, before[n], after[n];
  for (int i = 0; i < n; ++i) before[i] = i;
  cudaMalloc(&a, sizeof before);
  cudaMemcpy(a, before, sizeof before, cudaMemcpyHostToDevice);
  by_cast<<<1, n>>>(a);
  by_ptx<<<1, n>>>(a);
  cudaMemcpy(after, a, sizeof after, cudaMemcpyDeviceToHost);
#ifdef REPAIRED
  for (int i = 0; i < n; ++i) {
    if (after[(i + 2) % n] != i) return 1;
  }
#endif
  return cudaDeviceSynchronize();
}
