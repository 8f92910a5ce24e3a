// With barriers: inclusive prefix sums of blocks of 256 in two alternating shared arrays
// (Hillis and Steele), eight barriers per block.
#include "timing.h"

constexpr int block_size = 256;

__global__ void block_scan(const int* in, int* out) {
  __shared__ int s_sums[2][block_size];
  const int t = threadIdx.x, i = blockIdx.x * block_size + t;
  int from = 0;
  s_sums[from][t] = in[i];
  __syncthreads();
  for (int distance = 1; distance < block_size; distance *= 2) {
    s_sums[1 - from][t] = s_sums[from][t] + (t >= distance ? s_sums[from][t - distance] : 0);
    from = 1 - from;
    __syncthreads();
  }
  out[i] = s_sums[from][t];
}

void sequential(const int* in, int* out, int blocks) {
  for (int block = 0; block < blocks; ++block) {
    int sum = 0;
    for (int i = block * block_size; i < (block + 1) * block_size; ++i) out[i] = sum += in[i];
  }
}

int main(int argc, char** argv) {
  const int blocks = requested_size(argc, argv, 4096);
  std::vector<int> in(blocks * block_size), out(in.size());
  for (std::size_t i = 0; i < in.size(); ++i) in[i] = static_cast<int>(i % 7);
  int* const device_in = to_device(in);
  int* const device_out = to_device(out);
  print_resources(block_scan, block_size);
  print_median_time([&] { block_scan<<<blocks, block_size>>>(device_in, device_out); });
  print_sequential_time([&] { sequential(in.data(), out.data(), blocks); });
  return compare(device_out, out);
}
