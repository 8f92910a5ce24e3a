// verdict: fault
// fault: HF014
// repaired: clean
// Some threads run one more iteration, and wait at a barrier while the others wait at the next.
__global__ void rounds(int* out, int n) {
  __shared__ int s[64];
#ifdef REPAIRED
  for (int i = 0; i < n; i += 64) {
    if (i + threadIdx.x < n) s[threadIdx.x] = i;
    __syncthreads();
  }
#else
  for (int i = threadIdx.x; i < n; i += 64) {
    s[threadIdx.x] = i;
    __syncthreads();
  }
#endif
  __syncthreads();
  out[threadIdx.x] = s[63 - threadIdx.x];
}

int main() {
  int* out;
  cudaMalloc(&out, 64 * sizeof(int));
  rounds<<<1, 64>>>(out, 96);
  return cudaDeviceSynchronize();
}
