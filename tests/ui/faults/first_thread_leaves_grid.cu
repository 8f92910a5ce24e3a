// verdict: fault
// fault: HF004, line 17
// repaired: clean
// Threads at the border have no work and return. One of them is the first of its block, which arrives at the
// barrier of the grid for the whole block.
// Repaired: they stay.
#include <cooperative_groups.h>

__global__ void smooth(const int* in, int* out, int* again, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const bool inner = i > 0 && i < n - 1;
#ifndef REPAIRED
  if (!inner) return;
#endif
  if (inner) out[i] = in[i - 1] + in[i + 1];
  else out[i] = in[i];
  cooperative_groups::this_grid().sync();
  if (inner) again[i] = out[i - 1] + out[i + 1];
}

int main() {
  int n = 128;
  int *in, *out, *again;
  for (int** it : {&in, &out, &again}) {
    cudaMalloc(it, n * sizeof(int));
    cudaMemset(*it, 0, n * sizeof(int));
  }
  void* arguments[] = {&in, &out, &again, &n};
  cudaLaunchCooperativeKernel(reinterpret_cast<void*>(&smooth), dim3(2), dim3(64), arguments, 0, nullptr);
  return cudaDeviceSynchronize();
}
