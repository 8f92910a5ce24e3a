// verdict: fault
// fault: HF001, line 17, thread 63
// repaired: clean
// A tile without room for its halo, which is only read: between barriers, where no read
// within the tile needs a check.
#ifdef REPAIRED
constexpr int length = 65;
#else
constexpr int length = 64;
#endif

__global__ void difference(int* out, const int* in) {
  __shared__ int tile[length];
  for (int i = threadIdx.x; i < length; i += blockDim.x) tile[i] = in[i];
  __syncthreads();
  const int t = threadIdx.x;
  out[t] = tile[t + 1] - tile[t];
}

int main() {
  int *in, *out;
  cudaMalloc(&in, 65 * sizeof(int));
  cudaMalloc(&out, 64 * sizeof(int));
  cudaMemset(in, 0, 65 * sizeof(int));
  difference<<<1, 64>>>(out, in);
  return cudaDeviceSynchronize();
}
