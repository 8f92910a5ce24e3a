// verdict: fault
// fault: HF010, line 10, thread 3
// repaired: clean
//
// A device function divides by zero. The signal finds it through the functions that are inlined around it.
__device__ int ratio(int value, int by) {
#ifdef REPAIRED
  if (by == 0) return 0;
#endif
  return value / by;
}

__device__ int distance(const int* data, int at) {
  return ratio(data[at], at - 3);
}

__global__ void divide(int* data) {
  data[threadIdx.x] = distance(data, threadIdx.x);
}

int main() {
  int* data;
  cudaMalloc(&data, 32 * sizeof(int));
  cudaMemset(data, 1, 32 * sizeof(int));
  divide<<<1, 32>>>(data);
  return cudaDeviceSynchronize();
}
