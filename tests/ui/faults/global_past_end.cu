// verdict: fault
// fault: HF001, line 10, thread 100
// repaired: clean
// The last block is larger than the rest of the array.
__global__ void twice(float* out, const float* in, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
#ifdef REPAIRED
  if (i >= n) return;
#endif
  out[i] = 2 * in[i < n ? i : 0];
}

int main() {
  constexpr int n = 100;
  float *in, *out;
  cudaMalloc(&in, n * sizeof(float));
  cudaMalloc(&out, n * sizeof(float));
  cudaMemset(in, 0, n * sizeof(float));
  twice<<<1, 128>>>(out, in, n);
  return cudaDeviceSynchronize();
}
