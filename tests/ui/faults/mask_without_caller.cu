// verdict: fault
// fault: HF016, line 11
// repaired: clean
// A whole warp calls with a mask for half of it.
__global__ void half(int* out) {
  __shared__ int s[32];
  s[threadIdx.x] = threadIdx.x;
#ifdef REPAIRED
  __syncwarp();
#else
  __syncwarp(0x0000ffff);
#endif
  out[threadIdx.x] = s[threadIdx.x];
}

int main() {
  int* out;
  cudaMalloc(&out, 32 * sizeof(int));
  half<<<1, 32>>>(out);
  return cudaDeviceSynchronize();
}
