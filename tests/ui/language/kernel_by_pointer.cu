// verdict: race
// race: lines 13 and 13, variable a, global
// race: lines 21 and 21, variable a, global
// repaired: clean
// Kernels that a table and a pointer name: reports have the names of the kernels.
// Repaired: atomic operations.
#include <cstdio>

template <class T>
__global__ void add(T* a, int n) {
#ifndef REPAIRED

  a[0] += n;
#else
  atomicAdd(&a[0], n);
#endif
}

static __global__ void mark(int* a, int n) {
#ifndef REPAIRED
  a[1] |= n;
#else
  atomicOr(&a[1], n);
#endif
}

int main() {
  int *a, result[2];
  cudaMalloc(&a, 2 * sizeof(int));
  cudaMemset(a, 0, 2 * sizeof(int));
  void (*const table[])(int*, int) = {add<int>, mark};
  void (*kernel)(int*, int) = table[1];
  table[0]<<<1, 64>>>(a, 1);
  kernel<<<1, 64>>>(a, 1);
  cudaMemcpy(result, a, sizeof result, cudaMemcpyDeviceToHost);
  std::printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
#ifdef REPAIRED
  if (result[0] != 64 || result[1] != 1) return 1;
#endif
}
