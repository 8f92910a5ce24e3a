// verdict: fault
// fault: HF010, line 10, thread 0
// repaired: clean
// Integer division by a value that a kernel left at zero.
__global__ void average(int* out, const int* sum, const int* count) {
  const int t = threadIdx.x;
#ifdef REPAIRED
  out[t] = count[t] != 0 ? sum[t] / count[t] : 0;
#else
  out[t] = sum[t] / count[t];
#endif
}

int main() {
  int *data;
  cudaMalloc(&data, 96 * sizeof(int));
  cudaMemset(data, 0, 96 * sizeof(int));
  average<<<1, 32>>>(data, data + 32, data + 64);
  return cudaDeviceSynchronize();
}
