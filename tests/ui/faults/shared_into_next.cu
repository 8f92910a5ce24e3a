// verdict: race
// race: lines 15 and 16, variable second, shared
// race-also: lines 15 and 18, variable second, shared
// fault: HF001, line 15, thread 32
// repaired: clean
// Two arrays, and an index that runs from the first one into the second: what
// lies between them is nobody's, and then it writes what others write.
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
