// verdict: fault
// fault: HF001, line 13, thread 0
// fault: HF001, line 15, thread 63
// repaired: clean
// A tile without room for its halo.
__global__ void difference(int* out, const int* in) {
#ifdef REPAIRED
  __shared__ int tile[65];
#else
  __shared__ int tile[64];
#endif
  tile[threadIdx.x] = in[threadIdx.x];
  if (threadIdx.x == 0) tile[threadIdx.x + 64] = 0;
  __syncthreads();
  out[threadIdx.x] = tile[threadIdx.x + 1] - tile[threadIdx.x];
}

int main() {
  int *in, *out;
  cudaMalloc(&in, 64 * sizeof(int));
  cudaMalloc(&out, 64 * sizeof(int));
  cudaMemset(in, 0, 64 * sizeof(int));
  difference<<<1, 64>>>(out, in);
  return cudaDeviceSynchronize();
}
