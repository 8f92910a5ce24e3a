// Shared atomics: a histogram of the low bytes of numbers, one copy per block, added up at the end.
#include "timing.h"

constexpr int bins = 256, blocks = 64;

__global__ void histogram(const int* in, int* total, int n) {
  __shared__ int s_bins[bins];
  s_bins[threadIdx.x] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) atomicAdd(&s_bins[in[i] % bins], 1);
  __syncthreads();
  atomicAdd(&total[threadIdx.x], s_bins[threadIdx.x]);
}

void sequential(const int* in, int* total, int n) {
  for (int i = 0; i < n; ++i) ++total[in[i] % bins];
}

int main(int argc, char** argv) {
  const int n = requested_size(argc, argv, 1 << 21);
  std::vector<int> in(n), total(bins);
  for (int i = 0; i < n; ++i) in[i] = i % 997;
  int* const device_in = to_device(in);
  int* const device_total = to_device(total);
  print_resources(histogram, bins);
  print_median_time([&] { histogram<<<blocks, bins>>>(device_in, device_total, n); });
  print_sequential_time([&] { sequential(in.data(), total.data(), n); });
  return compare(device_total, total);
}
