// verdict: fault
// fault: HF004, line 12
// repaired: clean
// Half of a warp waits for the other half, which waits for the block.
__global__ void exchange(int* out) {
  int value = threadIdx.x;
#ifdef REPAIRED
  value = __shfl_sync(0xffffffff, value, 0);
  __syncthreads();
#else
  if (threadIdx.x % 32 < 16) {
    value = __shfl_sync(0xffffffff, value, 0);
  } else {
    __syncthreads();
  }
#endif
  out[threadIdx.x] = value;
}

int main() {
  int* out;
  cudaMalloc(&out, 64 * sizeof(int));
  exchange<<<1, 64>>>(out);
  return cudaDeviceSynchronize();
}
