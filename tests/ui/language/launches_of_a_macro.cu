// verdict: race
// race: lines 17 and 17, variable counts, global
// race: lines 26 and 26, variable sums, global
// repaired: clean
//
// A macro launches kernels. The report names the lines at which it is used, not its own, and the kernel that
// another macro stands for.
// Repaired: atomic updates.
#include <cstdio>

#define LAUNCH(kernel, ...) kernel<<<2, 32>>>(__VA_ARGS__)

__global__ void count(int* counts) {
#ifdef REPAIRED
  atomicAdd(&counts[threadIdx.x / 8], 1);
#else
  counts[threadIdx.x / 8] += 1;
#endif
}

template <int width>
__global__ void sum(const int* counts, int* sums) {
#ifdef REPAIRED
  atomicAdd(&sums[threadIdx.x % width], counts[threadIdx.x / 8]);
#else
  sums[threadIdx.x % width] += counts[threadIdx.x / 8];
#endif
}

#define FIRST count

int main() {
  int* data;
  cudaMalloc(&data, 8 * sizeof(int));
  cudaMemset(data, 0, 8 * sizeof(int));
  FIRST<<<1, 32>>>(data);
  LAUNCH(count, data);
  LAUNCH(sum<4>, data, data + 4);
  int sums[8];
  cudaMemcpy(sums, data, sizeof sums, cudaMemcpyDeviceToHost);
#ifdef REPAIRED
  return sums[4] + sums[5] + sums[6] + sums[7] != 2 * 8 * (sums[0] + sums[1] + sums[2] + sums[3]);
#endif
}
