// verdict: race
// race: lines 12 and 26, variable rows, shared
// race: lines 30 and 30, variable sums, global
// repaired: clean
//
// Device functions get dynamic shared memory as a pointer, and return one into an array: the report names
// the arrays and their elements.
// Repaired: a barrier, and atomic sums.
#include <cstdio>

__device__ void put(float* to, int at, float value) {
  to[at] = value;
}

__device__ int* bucket(int* sums, int number) {
  return sums + number % 4;
}

__global__ void transpose(float* out, int* sums) {
  extern __shared__ float rows[][8];
  const int t = threadIdx.x;
  put(&rows[0][0], t, t);
#ifdef REPAIRED
  __syncthreads();
#endif
  out[t] = rows[t % 8][t / 8];
#ifdef REPAIRED
  atomicAdd(bucket(sums, t), 1);
#else
  *bucket(sums, t) += 1;
#endif
}

int main() {
  float* out;
  int* sums;
  cudaMalloc(&out, 64 * sizeof(float));
  cudaMalloc(&sums, 4 * sizeof(int));
  cudaMemset(sums, 0, 4 * sizeof(int));
  transpose<<<1, 64, 64 * sizeof(float)>>>(out, sums);
  cudaError_t error = cudaDeviceSynchronize();
  if (error != cudaSuccess) std::printf("%s\n", cudaGetErrorString(error));
  return error != cudaSuccess;
}
