// With barriers: sums of blocks of 256 by a tree in shared memory, eight barriers per block.
#include "timing.h"

constexpr int block_size = 256;

extern "C" __global__ void block_sum(const float* in, float* out) {
  __shared__ float s_sum[block_size];
  const int t = threadIdx.x;
  s_sum[t] = in[blockIdx.x * blockDim.x + t];
  for (int stride = block_size / 2; stride > 0; stride /= 2) {
    __syncthreads();
    if (t < stride) s_sum[t] += s_sum[t + stride];
  }
  if (t == 0) out[blockIdx.x] = s_sum[0];
}

void sequential(const float* in, float* out, int blocks) {
  for (int block = 0; block < blocks; ++block) {
    float sum[block_size];
    for (int t = 0; t < block_size; ++t) sum[t] = in[block * block_size + t];
    for (int stride = block_size / 2; stride > 0; stride /= 2) {
      for (int t = 0; t < stride; ++t) sum[t] += sum[t + stride];
    }
    out[block] = sum[0];
  }
}

int main(int argc, char** argv) {
  const int blocks = requested_size(argc, argv, 4096);
  const std::vector<float> in(blocks * block_size, 1.0f);
  std::vector<float> out(blocks);
  float* const device_in = to_device(in);
  float* const device_out = to_device(out);
  print_resources(block_sum, block_size);
  print_median_time([&] {
#ifdef BENCH_PTX
    launch_from_file("block_sum", blocks, block_size, device_in, device_out);
#else
    block_sum<<<blocks, block_size>>>(device_in, device_out);
#endif
  });
  print_sequential_time([&] { sequential(in.data(), out.data(), blocks); });
  return compare(device_out, out);
}
