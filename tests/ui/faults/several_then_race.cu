// verdict: race
// race: lines 31 and 31, variable total, global
// fault: HF001, line 15
// fault: HF003, line 24, thread 5
// repaired: clean
// Two faults in earlier kernels do not hide the race in a later one: the run goes on after them.
// Repaired: a bound, a test of the pointer, and an atomic sum.
#include <cuda_runtime.h>

__global__ void scale(float* data, int n, float by) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
#ifdef REPAIRED
  if (i < n)
#endif
    data[i] *= by;
}

__global__ void mark(const float* data, int* found) {
#ifdef REPAIRED
  if (found != nullptr && data[threadIdx.x] != 0)
#else
  if (threadIdx.x == 5)
#endif
    *found = data[0] != 0;
}

__global__ void add(float* total, const float* data) {
#ifdef REPAIRED
  atomicAdd(total, data[threadIdx.x]);
#else
  *total += data[threadIdx.x];
#endif
}

int main() {
  constexpr int n = 100;
  float *data, *total;
  cudaMalloc(&data, n * sizeof(float));
  cudaMalloc(&total, sizeof(float));
  cudaMemset(data, 0, n * sizeof(float));
  cudaMemset(total, 0, sizeof(float));
  scale<<<1, 128>>>(data, n, 2);
  mark<<<1, 32>>>(data, nullptr);
  add<<<1, 64>>>(total, data);
  return cudaDeviceSynchronize();
}
