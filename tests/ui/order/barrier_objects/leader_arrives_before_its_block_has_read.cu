// verdict: race
// race: lines 17 and 25, variable a, global
// repaired: clean
// One thread of each block arrives at a barrier of the device for its block, but before the other threads of the
// block have read their neighbour's part.
#include <cuda/barrier>
#include <new>

using Barrier = cuda::barrier<cuda::thread_scope_device>;

__global__ void make(Barrier* barrier, int count) { new (barrier) Barrier(count); }

__global__ void shift(Barrier* barrier, int* a, int* b) {
  const int t = threadIdx.x, own = blockIdx.x * blockDim.x, next = (blockIdx.x + 1) % gridDim.x * blockDim.x;

  // Nobody has written since the launch began.
  b[own + t] = a[next + blockDim.x - 1 - t];
#ifdef REPAIRED
  __syncthreads();
#endif
  if (t == 0) {
    barrier->arrive_and_wait();
  }
  __syncthreads();
  a[own + t] = b[own + blockDim.x - 1 - t];
}

int main() {
  Barrier* barrier;
  int *a, *b;
  cudaMalloc(&barrier, sizeof(Barrier));
  cudaMalloc(&a, 4 * 64 * sizeof(int));
  cudaMalloc(&b, 4 * 64 * sizeof(int));
  cudaMemset(a, 0, 4 * 64 * sizeof(int));
  make<<<1, 1>>>(barrier, 4);
  shift<<<4, 64>>>(barrier, a, b);
  return cudaDeviceSynchronize();
}
