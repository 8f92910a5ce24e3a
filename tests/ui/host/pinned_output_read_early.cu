// verdict: race
// race: lines 22 and 27, variable , global
// repaired: clean
// The result is copied to pinned memory by cudaMemcpyAsync in the default stream, which returns
// before the copy is complete, unlike cudaMemcpy.
// Repaired: cudaMemcpy.
#include <cstdio>

constexpr int n = 64;

__global__ void fill(int* out) {
  out[threadIdx.x] = threadIdx.x;
}

int main() {
  int *out, *result;
  cudaMalloc(&out, n * sizeof(int));
  cudaMallocHost(&result, n * sizeof(int));
  for (int i = 0; i < n; ++i) result[i] = 0;
  fill<<<1, n>>>(out);
#ifndef REPAIRED
  cudaMemcpyAsync(result, out, n * sizeof(int), cudaMemcpyDeviceToHost);
#else
  cudaMemcpy(result, out, n * sizeof(int), cudaMemcpyDeviceToHost);
#endif
  int sum = 0;
  for (int i = 0; i < n; ++i) sum += result[i];
  std::printf("%d\n", sum);
  return sum == 2016 ? 0 : 1;
}
