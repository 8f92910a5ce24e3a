// verdict: race
// race: lines 12 and 31, variable in, global
// repaired: clean
// Zero-copy memory: the kernel reads its input from the host's memory while it runs. The host
// overwrites the input with the library's memset.
// Repaired: an event that is recorded after the launch orders the two.
#include <cstring>

constexpr int n = 512;

__global__ void scale(const float* in, float* out) {
  out[threadIdx.x] = 2 * in[threadIdx.x];
}

int main() {
  float *in, *device_in, *out;
  cudaEvent_t event;
  cudaEventCreate(&event);
  cudaHostAlloc(&in, n * sizeof(float), cudaHostAllocMapped);
  cudaHostGetDevicePointer(&device_in, in, 0);
  cudaMallocManaged(&out, n * sizeof(float));
  for (int i = 0; i < n; ++i) in[i] = i;
#ifndef REPAIRED
  cudaEventRecord(event);
#endif
  scale<<<1, n>>>(device_in, out);
#ifdef REPAIRED
  cudaEventRecord(event);
#endif
  cudaEventSynchronize(event);
  std::memset(in, 0, n * sizeof(float));
  cudaDeviceSynchronize();
  return out[7] == 14 ? 0 : 1;
}
