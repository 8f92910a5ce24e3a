// Each block waits for the flag of the one before it, and hands on a sum.
#include "../timing.h"

__global__ void flag_chain(volatile int* flags, int* sums) {
  if (threadIdx.x == 0) {
    if (blockIdx.x > 0) {
      while (flags[blockIdx.x - 1] == 0) {
      }
      __threadfence();
    }
    sums[blockIdx.x] = blockIdx.x > 0 ? sums[blockIdx.x - 1] + 1 : 1;
  }
  __syncthreads();
  sums[gridDim.x + blockIdx.x * blockDim.x + threadIdx.x] = sums[blockIdx.x];
  __syncthreads();
  if (threadIdx.x == 0) {
    __threadfence();
    flags[blockIdx.x] = 1;
  }
}

int main(int argc, char** argv) {
  const int threads = requested_size(argc, argv, 1 << 18), blocks = threads / 32;
  int* const flags = to_device(std::vector<int>(blocks));
  int* const sums = to_device(std::vector<int>(blocks + threads));
  print_median_time([&] {
    cudaMemset(flags, 0, blocks * sizeof(int));
    flag_chain<<<blocks, 32>>>(flags, sums);
  });
}
