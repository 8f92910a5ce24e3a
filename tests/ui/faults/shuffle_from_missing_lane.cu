// verdict: warning
// warning: HF018, line 10
// repaired: clean
// A reduction over a warp of which half the lanes do not exist.
__global__ void reduce(int* out) {
  int sum = threadIdx.x;
#ifdef REPAIRED
  for (int offset = 8; offset > 0; offset /= 2) sum += __shfl_down_sync(0x0000ffff, sum, offset, 16);
#else
  for (int offset = 16; offset > 0; offset /= 2) sum += __shfl_down_sync(0xffffffff, sum, offset);
#endif
  if (threadIdx.x == 0) *out = sum;
}

int main() {
  int* out;
  cudaMalloc(&out, sizeof(int));
  reduce<<<1, 16>>>(out);
  return cudaDeviceSynchronize();
}
