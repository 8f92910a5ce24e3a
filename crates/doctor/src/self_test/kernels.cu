// Kernels with known verdicts, for `hirace doctor --self-test`: those named racy_ race under
// every schedule, those named clean_ never do.

constexpr int threads = 64, blocks = 2;

// Two blocks write one location; one of them does.
__global__ void racy_blocks_write(int* a) { a[0] = blockIdx.x; }
__global__ void clean_one_block_writes(int* a) {
  if (blockIdx.x == 0 && threadIdx.x == 0) a[0] = 1;
}

// Plain increments of a counter; atomic ones.
__global__ void racy_counter(int* a) { a[0] += 1; }
__global__ void clean_counter(int* a) { atomicAdd(&a[0], 1); }

// Atomics of block scope from two blocks; each block has a counter of its own.
__global__ void racy_atomic_of_block(int* a) { atomicAdd_block(&a[0], 1); }
__global__ void clean_atomic_of_block(int* a) { atomicAdd_block(&a[blockIdx.x], 1); }

// A thread reads a value of the next warp without a barrier; after one.
__global__ void racy_no_barrier(int* a) {
  __shared__ int s[threads];
  s[threadIdx.x] = threadIdx.x;
  a[blockIdx.x * threads + threadIdx.x] = s[(threadIdx.x + 32) % threads];
}
__global__ void clean_barrier(int* a) {
  __shared__ int s[threads];
  s[threadIdx.x] = threadIdx.x;
  __syncthreads();
  a[blockIdx.x * threads + threadIdx.x] = s[(threadIdx.x + 32) % threads];
}

// A thread reads a value of its own warp without a warp barrier; after one.
__global__ void racy_no_warp_barrier(int* a) {
  __shared__ int s[threads];
  s[threadIdx.x] = threadIdx.x;
  a[blockIdx.x * threads + threadIdx.x] = s[threadIdx.x ^ 1];
}
__global__ void clean_warp_barrier(int* a) {
  __shared__ int s[threads];
  s[threadIdx.x] = threadIdx.x;
  __syncwarp();
  a[blockIdx.x * threads + threadIdx.x] = s[threadIdx.x ^ 1];
}

// Two threads write the same byte; each writes its own byte of a granule.
__global__ void racy_bytes(int* a) { reinterpret_cast<char*>(a)[threadIdx.x / 2] = 1; }
__global__ void clean_bytes(int* a) { reinterpret_cast<char*>(a)[blockIdx.x * threads + threadIdx.x] = 1; }

// Reads and writes values that an earlier kernel wrote.
__global__ void clean_next_launch(int* a) { a[blockIdx.x * threads + threadIdx.x] += 1; }

int main() {
  int* a;
  if (cudaMalloc(&a, blocks * threads * sizeof(int)) != cudaSuccess) return 1;
  cudaMemset(a, 0, blocks * threads * sizeof(int));
  racy_blocks_write<<<blocks, threads>>>(a);
  clean_one_block_writes<<<blocks, threads>>>(a);
  racy_counter<<<blocks, threads>>>(a);
  clean_counter<<<blocks, threads>>>(a);
  racy_atomic_of_block<<<blocks, threads>>>(a);
  clean_atomic_of_block<<<blocks, threads>>>(a);
  racy_no_barrier<<<blocks, threads>>>(a);
  clean_barrier<<<blocks, threads>>>(a);
  racy_no_warp_barrier<<<blocks, threads>>>(a);
  clean_warp_barrier<<<blocks, threads>>>(a);
  racy_bytes<<<blocks, threads>>>(a);
  clean_bytes<<<blocks, threads>>>(a);
  clean_next_launch<<<blocks, threads>>>(a);
  const bool ran = cudaDeviceSynchronize() == cudaSuccess;
  cudaFree(a);
  return ran ? 0 : 1;
}
