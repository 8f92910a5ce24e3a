// Streaming: a[i] = b[i] + s * c[i] over arrays of 4 Mi floats, no reuse.
#include "timing.h"

__global__ void stream_triad(float* a, const float* b, const float* c, float s, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) a[i] = b[i] + s * c[i];
}

int main() {
  const int n = 1 << 22;
  const std::vector<float> host(n, 1.0f);
  float *a, *b, *c;
  for (float** p : {&a, &b, &c}) {
    cudaMalloc(p, n * sizeof(float));
    cudaMemcpy(*p, host.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  }
  print_median_time(5, [&] { stream_triad<<<n / 256, 256>>>(a, b, c, 2.0f, n); });
  float last = 0;
  cudaMemcpy(&last, a + n - 1, sizeof last, cudaMemcpyDeviceToHost);
  return last == 3.0f ? 0 : 1;
}
