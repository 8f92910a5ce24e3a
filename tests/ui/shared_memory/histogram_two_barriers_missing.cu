// verdict: race
// race: lines 17 and 21, variable bins, shared
// race-also: lines 21 and 25, variable bins, shared
// repaired: clean
// A histogram in shared memory, by atomic operations. Neither the zeros nor the counts are separated from
// them by a barrier: nothing here is a flag, although threads read what others have counted.
// Repaired: a barrier on both sides.
#include <cuda_runtime.h>

constexpr int threads = 128, bin_count = 64;

__shared__ int bins[bin_count];

__global__ void histogram(const int* values, int* result) {
  const int t = threadIdx.x;
  if (t < bin_count)
    bins[t] = 0;
#ifdef REPAIRED
  __syncthreads();
#endif
  atomicAdd(&bins[values[t]], 1);
#ifdef REPAIRED
  __syncthreads();
#endif
  if (t < bin_count) result[t] = bins[t];
}

int main() {
  int given[threads];
  for (int i = 0; i < threads; ++i) given[i] = i % bin_count;
  int *values, *result;
  cudaMalloc(&values, sizeof given);
  cudaMalloc(&result, bin_count * sizeof(int));
  cudaMemcpy(values, given, sizeof given, cudaMemcpyHostToDevice);
  histogram<<<1, threads>>>(values, result);
  return cudaDeviceSynchronize();
}
