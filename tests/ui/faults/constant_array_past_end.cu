// verdict: fault
// fault: HF001, line 18, thread 8
// fault: HF001, line 19, thread 4
// repaired: clean
// An index runs past arrays in constant memory.
// Repaired: all indices are within the arrays.
#include <cstdio>

struct Weight {
  float value, scale;
};

__constant__ float coefficients[8];
__constant__ Weight weights[2][4];

__global__ void filter(float* out) {
  const int i = threadIdx.x;
  float sum = coefficients[i] * coefficients[0];
  sum += weights[1][i].value;
  out[i] = sum;
}

__global__ void filter_repaired(float* out) {
  const int i = threadIdx.x;
  out[i] = coefficients[i % 8] + weights[1][i % 4].value;
}

int main() {
  float* out;
  cudaMalloc(&out, 16 * sizeof(float));
#ifdef REPAIRED
  filter_repaired<<<1, 16>>>(out);
#else
  filter<<<1, 16>>>(out);
#endif
  std::printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
