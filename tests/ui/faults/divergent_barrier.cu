// verdict: fault
// fault: HF014
// repaired: clean
// Each branch has its own barrier.
__global__ void halves(int* out) {
  __shared__ int s[64];
#ifdef REPAIRED
  s[threadIdx.x] = threadIdx.x < 32 ? 1 : 2;
  __syncthreads();
#else
  if (threadIdx.x < 32) {
    s[threadIdx.x] = 1;
    __syncthreads();
  } else {
    s[threadIdx.x] = 2;
    __syncthreads();
  }
#endif
  out[threadIdx.x] = s[63 - threadIdx.x];
}

int main() {
  int* out;
  cudaMalloc(&out, 64 * sizeof(int));
  halves<<<1, 64>>>(out);
  return cudaDeviceSynchronize();
}
