// verdict: race
// race: lines 14 and 19, variable s, shared
// repaired: clean
// A sum that all threads read at its end is computed twice: no barrier is between the reads of the first one and the
// writes of the second one.
#include <cstdio>

constexpr int threads = 128, warp = 32;

__device__ float sum_of_block(float value, float* s) {
  for (int other = warp / 2; other > 0; other /= 2) {
    value += __shfl_down_sync(0xffffffff, value, other);
  }
  if (threadIdx.x % warp == 0) s[threadIdx.x / warp] = value;
  __syncthreads();
  if (threadIdx.x == 0)
    for (int other = 1; other < threads / warp; ++other) s[0] += s[other];
  __syncthreads();
  return s[0];
}

__global__ void variance(const float* in, float* out) {
  __shared__ float s[threads / warp];
  const float value = in[threadIdx.x];
  const float mean = sum_of_block(value, s) / threads;
#ifdef REPAIRED
  __syncthreads();
#endif
  const float squares = sum_of_block((value - mean) * (value - mean), s);
  if (threadIdx.x == 0) *out = squares / threads;
}

int main() {
  float *in, *out;
  cudaMalloc(&in, threads * sizeof(float));
  cudaMalloc(&out, sizeof(float));
  cudaMemset(in, 0, threads * sizeof(float));
  variance<<<1, threads>>>(in, out);
  cudaDeviceSynchronize();
}
