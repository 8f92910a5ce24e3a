// verdict: race
// race: lines 17 and 17, variable a, global
// race: lines 24 and 24, variable s, shared
// repaired: clean
// Kernels whose heads are macros. All threads add to one element, and read what their neighbours
// write without a barrier between.
// Repaired: an atomic operation, and the barrier.
#include <cstdio>

#define KERNEL(name, T) template <class T> __global__ void name(T* a, int n)
#define KERNEL_OF(name, ...) __global__ void name##_kernel(__VA_ARGS__)

KERNEL(add, T) {
#ifdef REPAIRED
  atomicAdd(&a[0], T(n));
#else
  a[0] += n;
#endif
}

KERNEL_OF(shift, const int* in, int* out) {
  __shared__ int s[64];
#ifndef REPAIRED
  s[threadIdx.x] = in[threadIdx.x], out[threadIdx.x] = s[63 - threadIdx.x];
#else
  s[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  out[threadIdx.x] = s[63 - threadIdx.x];
#endif
}

int main() {
  int *a, *b, first = 0;
  cudaMalloc(&a, 64 * sizeof(int));
  cudaMalloc(&b, 64 * sizeof(int));
  cudaMemset(a, 0, 64 * sizeof(int));
  add<int><<<1, 64>>>(a, 1);
  shift_kernel<<<1, 64>>>(a, b);
  cudaMemcpy(&first, b + 63, sizeof(int), cudaMemcpyDeviceToHost);
  std::printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
#ifdef REPAIRED
  if (first != 64) return 1;
#endif
}
