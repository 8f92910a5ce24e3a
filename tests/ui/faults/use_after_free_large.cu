// verdict: fault
// fault: HF002, line 6, thread 0
// repaired: clean
// Like use_after_free, with an allocation of whole pages.
__global__ void increment(int* data) {
  data[threadIdx.x] += 1;
}

int main() {
  int* data;
  cudaMalloc(&data, 1 << 22);
  cudaMemset(data, 0, 1 << 22);
  increment<<<1, 32>>>(data);
#ifndef REPAIRED
  cudaFree(data);
#endif
  increment<<<1, 32>>>(data);
  return cudaDeviceSynchronize();
}
