// verdict: fault
// fault: HF017
// repaired: clean
// Lanes call different functions with one mask.
__global__ void mixed(int* out) {
  unsigned value = 0;
#ifdef REPAIRED
  value = __ballot_sync(0xffffffff, threadIdx.x & 1);
  if (threadIdx.x >= 16) value = threadIdx.x;
#else
  if (threadIdx.x < 16) {
    value = __ballot_sync(0xffffffff, threadIdx.x & 1);
  } else {
    value = __shfl_sync(0xffffffff, threadIdx.x, 0);
  }
#endif
  out[threadIdx.x] = value;
}

int main() {
  int* out;
  cudaMalloc(&out, 32 * sizeof(int));
  mixed<<<1, 32>>>(out);
  return cudaDeviceSynchronize();
}
