// The source of rounds.ptx: nvcc -ptx -arch=sm_80 -lineinfo rounds.cu
#include <cooperative_groups.h>

__global__ void shift(float* a, float* b, int rounds) {
  const int n = gridDim.x * blockDim.x, i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int round = 0; round < rounds; ++round) {
    b[i] = a[(i + 1) % n];
    cooperative_groups::this_grid().sync();
    a[i] = b[i];
    cooperative_groups::this_grid().sync();
  }
}

__global__ void shift_without_barrier(float* a, float* b, int rounds) {
  const int n = gridDim.x * blockDim.x, i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int round = 0; round < rounds; ++round) {
    b[i] = a[(i + 1) % n];
    cooperative_groups::this_grid().sync();
    a[i] = b[i];
  }
}
