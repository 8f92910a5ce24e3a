// verdict: fault
// fault: HF001, line 19
// repaired: clean
// A stencil reads the row above, which the first row does not have: one row of it is longer than the memory
// between two allocations.
// Repaired: the first row reads itself.
#include <cuda_runtime.h>

constexpr int width = 4096, height = 2;

__global__ void difference(const float* in, float* out) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
#ifdef REPAIRED
  const int above = y == 0 ? 0 : y - 1;
#else
  const int above = y - 1;
#endif
  if (x >= width) return;
  out[y * width + x] = in[y * width + x] - in[above * width + x];
}

int main() {
  float *in, *out;
  cudaMalloc(&in, width * height * sizeof(float));
  cudaMemset(in, 0, width * height * sizeof(float));
  cudaMalloc(&out, width * height * sizeof(float));
  difference<<<dim3(width / 256, height), 256>>>(in, out);
  cudaDeviceSynchronize();
  cudaFree(in);
  cudaFree(out);
}
