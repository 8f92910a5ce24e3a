// verdict: fault
// fault: HF001, line 12, thread 32
// repaired: clean
// Two arrays, and an index that runs from the first one into the second.
__global__ void both(int* out) {
  __shared__ int first[32];
  __shared__ int second[32];
  const int i = threadIdx.x;
#ifdef REPAIRED
  if (i < 32)
#endif
    first[i] = i;
  if (i >= 32) second[i - 32] = i;
  __syncthreads();
  out[i] = i < 32 ? first[i] : second[i - 32];
}

int main() {
  int* out;
  cudaMalloc(&out, 64 * sizeof(int));
  both<<<1, 64>>>(out);
  return cudaDeviceSynchronize();
}
