// A gibibyte of device data, written and then read, to measure memory use.
//
// Prints the bytes of data, and the peak memory use of the process.
#include <cuda_runtime.h>
#include <sys/resource.h>

#include <cstdio>

__global__ void fill(float* a, float value, long n) {
  for (long i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += long(gridDim.x) * blockDim.x) a[i] = value;
}

__global__ void triad(float* a, const float* b, const float* c, float s, long n) {
  for (long i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += long(gridDim.x) * blockDim.x) a[i] = b[i] + s * c[i];
}

int main() {
  const long n = (1l << 30) / sizeof(float) / 3;
  float *a, *b, *c;
  for (float** p : {&a, &b, &c}) cudaMalloc(p, n * sizeof(float));
  fill<<<4096, 256>>>(b, 1.0f, n);
  fill<<<4096, 256>>>(c, 2.0f, n);
  triad<<<4096, 256>>>(a, b, c, 2.0f, n);
  float last = 0;
  cudaMemcpy(&last, a + n - 1, sizeof last, cudaMemcpyDeviceToHost);
  rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  std::printf("data bytes: %ld\npeak KiB: %ld\n", 3 * n * long(sizeof(float)), usage.ru_maxrss);
  return last == 5.0f ? 0 : 1;
}
