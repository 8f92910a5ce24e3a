// verdict: warning
// warning: HF015, line 15
// repaired: clean
// Threads beyond the end return before the barrier.
__global__ void neighbours(int* out, int n) {
  __shared__ int s[64];
  const int i = threadIdx.x;
#ifdef REPAIRED
  if (i < n) s[i] = i;
  __syncthreads();
  if (i < n) out[i] = s[n - 1 - i];
#else
  if (i >= n) return;
  s[i] = i;
  __syncthreads();
  out[i] = s[n - 1 - i];
#endif
}

int main() {
  int* out;
  cudaMalloc(&out, 64 * sizeof(int));
  neighbours<<<1, 64>>>(out, 50);
  return cudaDeviceSynchronize();
}
