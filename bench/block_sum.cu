// With barriers: sums of blocks of 256 by a tree in shared memory, nine barriers a block.
#include "timing.h"

__global__ void block_sum(const float* in, float* out) {
  __shared__ float s_sum[256];
  const int t = threadIdx.x;
  s_sum[t] = in[blockIdx.x * blockDim.x + t];
  for (int stride = 128; stride > 0; stride /= 2) {
    __syncthreads();
    if (t < stride) s_sum[t] += s_sum[t + stride];
  }
  if (t == 0) out[blockIdx.x] = s_sum[0];
}

int main() {
  const int blocks = 4096, n = blocks * 256;
  const std::vector<float> ones(n, 1.0f);
  float *in, *out;
  cudaMalloc(&in, n * sizeof(float));
  cudaMalloc(&out, blocks * sizeof(float));
  cudaMemcpy(in, ones.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  print_median_time(5, [&] { block_sum<<<blocks, 256>>>(in, out); });
  float last = 0;
  cudaMemcpy(&last, out + blocks - 1, sizeof last, cudaMemcpyDeviceToHost);
  return last == 256 ? 0 : 1;
}
