// verdict: race
// repaired: clean
// race: lines 32 and 34, variable ring, global
//
// A barrier of the grid with a counter, which the last block resets by a plain store, and a generation: the first thread
// of each block arrives, without waiting for the others of its block.
// Repaired: they meet before.
__device__ unsigned arrived, generation;

__device__ void meet() {
#ifdef REPAIRED
  __syncthreads();
#endif
  if (threadIdx.x == 0) {
    const unsigned now = *static_cast<volatile unsigned*>(&generation);
    __threadfence();
    if (atomicAdd(&arrived, 1) == gridDim.x - 1) {
      arrived = 0;
      __threadfence();
      *static_cast<volatile unsigned*>(&generation) = now + 1;
    } else {
      while (*static_cast<volatile unsigned*>(&generation) == now) {}
      __threadfence();
    }
  }
  __syncthreads();
}

__global__ void shift(int* ring, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int step = 0; step < 2; ++step) {
    ring[i] = step;
    meet();
    out[i] = ring[(i + 5) % n];
    meet();
  }
}

int main() {
  constexpr int n = 256;
  int *ring, *out;
  cudaMalloc(&ring, n * sizeof(int));
  cudaMalloc(&out, n * sizeof(int));
  shift<<<4, n / 4>>>(ring, out, n);
  cudaDeviceSynchronize();
}
