// verdict: fault
// fault: HF006, line 8, thread 3
// repaired: clean
// The program's own check fails.
__global__ void verify(int* data, int limit) {
  data[threadIdx.x] = threadIdx.x;
  if (threadIdx.x > limit) {
    __trap();
  }
}

int main() {
  int* data;
  cudaMalloc(&data, 32 * sizeof(int));
#ifdef REPAIRED
  verify<<<1, 32>>>(data, 31);
#else
  verify<<<1, 32>>>(data, 2);
#endif
  return cudaDeviceSynchronize();
}
