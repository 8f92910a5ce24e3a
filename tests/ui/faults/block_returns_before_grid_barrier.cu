// verdict: fault
// fault: HF004, line 15
// repaired: clean
// A block without work returns, and the others wait for it at a barrier of the whole grid.
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

__global__ void step(const int* in, int* out, int blocks_with_work) {
#ifndef REPAIRED
  if (blockIdx.x >= blocks_with_work) return;
#endif
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (blockIdx.x < blocks_with_work) out[i] = in[i] + 1;
  cg::this_grid().sync();
  if (blockIdx.x < blocks_with_work) out[i + 128] = out[(i + 32) % 96];
}

int main() {
  int *in, *out, with_work = 3;
  cudaMalloc(&in, 128 * sizeof(int));
  cudaMalloc(&out, 256 * sizeof(int));
  cudaMemset(in, 0, 128 * sizeof(int));
  void* arguments[] = {&in, &out, &with_work};
  cudaLaunchCooperativeKernel((void*)step, dim3(4), dim3(32), arguments, 0, 0);
  return cudaDeviceSynchronize();
}
