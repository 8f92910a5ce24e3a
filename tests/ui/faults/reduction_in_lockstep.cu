// verdict: warning
// warning: HF023, line 18
// repaired: clean
// A sum whose last steps were written for lanes in lockstep: `volatile`, and no barrier of the warp.
// Repaired: `__syncwarp()` after each load and store.
#include <cstdio>

constexpr int lanes = 32;

__device__ void sum_of_warp(volatile int* parts, int lane) {
  for (int distance = lanes; distance > 0; distance /= 2) {
#ifdef REPAIRED
    const int both = parts[lane] + parts[lane + distance];
    __syncwarp();
    parts[lane] = both;
    __syncwarp();
#else
    parts[lane] += parts[lane + distance];
#endif
  }
}

__global__ void sum(const int* numbers, int* total) {
  __shared__ int parts[3 * lanes];
  const int thread = threadIdx.x;
  parts[thread] = numbers[thread];
  if (thread < lanes) parts[thread + 2 * lanes] = 0;
  __syncthreads();
  if (thread < lanes) sum_of_warp(parts, thread);
  if (thread == 0) *total = parts[0];
}

int main() {
  int numbers[2 * lanes], result = 0;
  for (int i = 0; i < 2 * lanes; ++i) numbers[i] = i;
  int *input, *total;
  cudaMalloc(&input, sizeof numbers);
  cudaMalloc(&total, sizeof(int));
  cudaMemcpy(input, numbers, sizeof numbers, cudaMemcpyHostToDevice);
  sum<<<1, 2 * lanes>>>(input, total);
  cudaMemcpy(&result, total, sizeof result, cudaMemcpyDeviceToHost);
#ifdef REPAIRED
  if (result != lanes * (2 * lanes - 1)) return 1;
#endif
  std::printf("%d\n", result);
}
