// verdict: fault
// fault: HF022, line 12
// repaired: clean
// Two phases of a computation with a barrier of the whole grid between them.
// Repaired: the launch is cooperative.
#include <cooperative_groups.h>
#include <cstdio>

__global__ void phases(int* data, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  data[i] = i;
  cooperative_groups::this_grid().sync();
  if (i == 0) data[0] = data[n - 1];
}

int main() {
  int n = 256, first = 0;
  int* data;
  cudaMalloc(&data, n * sizeof(int));
#ifdef REPAIRED
  void* arguments[] = {&data, &n};
  cudaLaunchCooperativeKernel(reinterpret_cast<void*>(&phases), dim3(4), dim3(64), arguments, 0, nullptr);
#else
  phases<<<4, 64>>>(data, n);
#endif
  cudaMemcpy(&first, data, sizeof first, cudaMemcpyDeviceToHost);
  std::printf("%d\n", first);
}
