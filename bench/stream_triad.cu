// Streaming: a[i] = b[i] + s * c[i] over large arrays, no reuse.
#include "timing.h"

__global__ void stream_triad(float* a, const float* b, const float* c, float s, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) a[i] = b[i] + s * c[i];
}

void sequential(float* a, const float* b, const float* c, float s, int n) {
  for (int i = 0; i < n; ++i) a[i] = b[i] + s * c[i];
}

int main(int argc, char** argv) {
  const int n = requested_size(argc, argv, 1 << 22);
  std::vector<float> a(n), b(n, 1.0f), c(n, 2.0f);
  float* const device_a = to_device(a);
  float* const device_b = to_device(b);
  float* const device_c = to_device(c);
  print_resources(stream_triad, 256);
  print_median_time([&] { stream_triad<<<(n + 255) / 256, 256>>>(device_a, device_b, device_c, 2.0f, n); });
  print_sequential_time([&] { sequential(a.data(), b.data(), c.data(), 2.0f, n); });
  return compare(device_a, a);
}
