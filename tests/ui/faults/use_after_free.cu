// verdict: fault
// fault: HF002, line 6, thread 0
// repaired: clean
// The buffer is freed before the last kernel that needs it.
__global__ void increment(int* data) {
  data[threadIdx.x] += 1;
}

int main() {
  int* data;
  cudaMalloc(&data, 32 * sizeof(int));
  cudaMemset(data, 0, 32 * sizeof(int));
  increment<<<1, 32>>>(data);
#ifndef REPAIRED
  cudaFree(data);
#endif
  increment<<<1, 32>>>(data);
  return cudaDeviceSynchronize();
}
