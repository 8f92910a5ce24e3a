// verdict: race
// race: lines 18 and 18, variable misses, global
// repaired: clean
// Device variables in a header, and others in the file that includes it. One of each counts; only the
// header's is counted by atomic operations.
// Repaired: both are.
#include "../common/hit_counters.h"

__device__ int misses;

__global__ void count(const int* values) {
  if (values[threadIdx.x] % 2 == 0) {
    atomicAdd(&hits[0], 1);
  } else {
#ifdef REPAIRED
    atomicAdd(&misses, 1);
#else
    misses += 1;
#endif
  }
}

int main() {
  int given[64];
  for (int i = 0; i < 64; ++i) given[i] = i;
  int* values;
  cudaMalloc(&values, sizeof given);
  cudaMemcpy(values, given, sizeof given, cudaMemcpyHostToDevice);
  count<<<1, 64>>>(values);
  return cudaDeviceSynchronize();
}
