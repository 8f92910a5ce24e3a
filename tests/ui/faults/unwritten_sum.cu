// verdict: warning
// warning: HF012, line 6
// repaired: clean
// Atomic additions to sums that were never set to zero.
__global__ void add(int* sum, const int* in) {
  atomicAdd(&sum[threadIdx.x / 32], in[threadIdx.x]);
}

int main() {
  int *in, *sum;
  cudaMalloc(&in, 64 * sizeof(int));
  cudaMalloc(&sum, 2 * sizeof(int));
  cudaMemset(in, 0, 64 * sizeof(int));
#ifdef REPAIRED
  cudaMemset(sum, 0, 2 * sizeof(int));
#endif
  add<<<1, 64>>>(sum, in);
  return cudaDeviceSynchronize();
}
