// Few barriers: a sum of many elements by a few blocks, with a grid-stride loop per thread,
// then a tree in shared memory and one atomic addition per block.
#include "timing.h"

constexpr int block_size = 256, blocks = 64;

extern "C" __global__ void grid_sum(const int* in, int* sum, int n) {
  __shared__ int s_sum[block_size];
  int mine = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) mine += in[i];
  s_sum[threadIdx.x] = mine;
  for (int stride = block_size / 2; stride > 0; stride /= 2) {
    __syncthreads();
    if (threadIdx.x < stride) s_sum[threadIdx.x] += s_sum[threadIdx.x + stride];
  }
  if (threadIdx.x == 0) atomicAdd(sum, s_sum[0]);
}

void sequential(const int* in, int* sum, int n) {
  int mine = 0;
  for (int i = 0; i < n; ++i) mine += in[i];
  *sum += mine;
}

int main(int argc, char** argv) {
  const int n = requested_size(argc, argv, 1 << 22);
  std::vector<int> in(n), sum(1);
  for (int i = 0; i < n; ++i) in[i] = i % 7;
  int* const device_in = to_device(in);
  int* const device_sum = to_device(sum);
  print_resources(grid_sum, block_size);
  print_median_time([&] {
#ifdef BENCH_PTX
    launch_from_file("grid_sum", blocks, block_size, device_in, device_sum, n);
#else
    grid_sum<<<blocks, block_size>>>(device_in, device_sum, n);
#endif
  });
  print_sequential_time([&] { sequential(in.data(), sum.data(), n); });
  return compare(device_sum, sum);
}
