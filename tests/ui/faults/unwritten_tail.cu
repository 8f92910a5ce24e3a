// verdict: warning
// warning: HF012, line 7
// repaired: clean
// One element more is read than was copied.
__global__ void twice(float* out, const float* in) {
  const int i = threadIdx.x;
  out[i] = 2 * in[i];
}

int main() {
  constexpr int n = 64;
  float host[n] = {};
  float *in, *out;
  cudaMalloc(&in, n * sizeof(float));
  cudaMalloc(&out, n * sizeof(float));
#ifdef REPAIRED
  cudaMemcpy(in, host, n * sizeof(float), cudaMemcpyHostToDevice);
#else
  cudaMemcpy(in, host, (n - 1) * sizeof(float), cudaMemcpyHostToDevice);
#endif
  twice<<<1, n>>>(out, in);
  return cudaDeviceSynchronize();
}
