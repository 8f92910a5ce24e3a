// verdict: fault
// fault: HF011, line 6, thread 0
// repaired: clean
// Vectors at an address that is aligned only for their elements.
__global__ void sum4(float* out, const float* in, int offset) {
  const float4 v = reinterpret_cast<const float4*>(in + offset)[threadIdx.x];
  out[threadIdx.x] = v.x + v.y + v.z + v.w;
}

int main() {
  float *in, *out;
  cudaMalloc(&in, 1024 * sizeof(float));
  cudaMalloc(&out, 32 * sizeof(float));
  cudaMemset(in, 0, 1024 * sizeof(float));
#ifdef REPAIRED
  sum4<<<1, 32>>>(out, in, 4);
#else
  sum4<<<1, 32>>>(out, in, 1);
#endif
  return cudaDeviceSynchronize();
}
