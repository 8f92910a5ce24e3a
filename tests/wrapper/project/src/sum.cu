#include "grid.h"
#include "stencil.cuh"

__global__ void sum_kernel(const float* values, float* result) {
  __shared__ float partial[block_size];
  const int t = threadIdx.x;
  partial[t] = values[blockIdx.x * block_size + t];
  for (int stride = block_size / 2; stride > 0; stride /= 2) {
#ifndef RACY
    __syncthreads();
#endif
    if (t < stride) add_to(partial[t], partial[t + stride]);
  }
  if (t == 0) atomicAdd(result, partial[0]);
}

float sum(const float* values, int n) {
  float* result;
  cudaMalloc(&result, sizeof(float));
  cudaMemset(result, 0, sizeof(float));
  sum_kernel<<<n / block_size, block_size>>>(values, result);
  float host = 0;
  cudaMemcpy(&host, result, sizeof(float), cudaMemcpyDeviceToHost);
  cudaFree(result);
  return host;
}
