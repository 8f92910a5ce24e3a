// verdict: fault
// fault: HF017
// repaired: clean
// Each lane computes its own mask, and the masks differ.
__global__ void pairs(int* out) {
#ifdef REPAIRED
  const unsigned mask = 3u << (threadIdx.x & ~1u);
#else
  const unsigned mask = 1u << threadIdx.x | 1u << (threadIdx.x + 1) % 32;
#endif
  out[threadIdx.x] = __shfl_xor_sync(mask, threadIdx.x, 1);
}

int main() {
  int* out;
  cudaMalloc(&out, 32 * sizeof(int));
  pairs<<<1, 32>>>(out);
  return cudaDeviceSynchronize();
}
