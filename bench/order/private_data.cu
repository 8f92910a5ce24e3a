// Each thread works on elements of its own, and there is a fence.
#include "../timing.h"

__global__ void private_data(float* values) {
  const int n = gridDim.x * blockDim.x, i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int step = 0; step < 16; ++step) {
    for (int part = 0; part < 4; ++part) values[part * n + i] = values[part * n + i] * 0.5f + 1;
  }
  __threadfence();
}

int main(int argc, char** argv) {
  const int threads = requested_size(argc, argv, 1 << 16);
  float* const values = to_device(std::vector<float>(4 * threads));
  print_median_time([&] { private_data<<<threads / 256, 256>>>(values); });
}
