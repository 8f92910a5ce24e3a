// verdict: race
// repaired: clean
// race: lines 14 and 29, variable samples, global
//
// A block sends samples to another one by a volatile flag. There are neither fences nor barriers, so that nothing in a
// run shows that the variable is a flag: `fix` finds it in the text.
// Repaired: both are there, on both sides.
__device__ float samples[64];
__device__ volatile int are_sent;

__global__ void transfer(float* smoothed) {
  const int t = threadIdx.x;
  if (blockIdx.x == 0) {
    samples[t] = 0.5f * t;
#ifdef REPAIRED
    __threadfence();
    __syncthreads();
#endif
    if (t == 0) are_sent = 1;
  } else {
    if (t == 0) {
      while (are_sent == 0) {
      }
    }
#ifdef REPAIRED
    __syncthreads();
    __threadfence();
#endif
    smoothed[t] = 2 * samples[63 - t];
  }
}

int main() {
  float* smoothed;
  cudaMalloc(&smoothed, 64 * sizeof(float));
  transfer<<<2, 64>>>(smoothed);
  cudaDeviceSynchronize();
}
