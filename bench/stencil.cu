// Without barriers: one step of a five-point stencil on a square grid, in global memory.
#include "timing.h"

extern "C" __global__ void stencil(const float* in, float* out, int size) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x == 0 || y == 0 || x >= size - 1 || y >= size - 1) return;
  const int i = y * size + x;
  out[i] = 0.5f * in[i] + 0.125f * (in[i - 1] + in[i + 1] + in[i - size] + in[i + size]);
}

void sequential(const float* in, float* out, int size) {
  for (int y = 1; y < size - 1; ++y) {
    for (int x = 1; x < size - 1; ++x) {
      const int i = y * size + x;
      out[i] = 0.5f * in[i] + 0.125f * (in[i - 1] + in[i + 1] + in[i - size] + in[i + size]);
    }
  }
}

int main(int argc, char** argv) {
  const int size = requested_size(argc, argv, 1024);
  std::vector<float> in(size * size), out(size * size);
  for (int i = 0; i < size * size; ++i) in[i] = static_cast<float>(i % 17);
  float* const device_in = to_device(in);
  float* const device_out = to_device(out);
  const dim3 block(32, 8), grid((size + 31) / 32, (size + 7) / 8);
  print_resources(stencil, 32 * 8);
  print_median_time([&] {
#ifdef BENCH_PTX
    launch_from_file("stencil", grid, block, device_in, device_out, size);
#else
    stencil<<<grid, block>>>(device_in, device_out, size);
#endif
  });
  print_sequential_time([&] { sequential(in.data(), out.data(), size); });
  return compare(device_out, out);
}
