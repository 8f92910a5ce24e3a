// verdict: race
// race: lines 24 and 28, variable storage, shared
// repaired: clean
// Sum and maximum of a tile through the same storage, without a barrier between the two uses.
// Repaired: a barrier separates the two uses.
#include <cstdio>

#ifdef REPAIRED
#include <cub/cub.cuh>
#else
#include <cub/block/block_reduce.cuh>
#endif

constexpr int kThreads = 128;

struct Larger {
  __device__ int operator()(int a, int b) const { return a > b ? a : b; }
};

__global__ void summarise(const int* in, int* sums, int* tops) {
  using BlockReduce = cub::BlockReduce<int, kThreads>;
  __shared__ typename BlockReduce::TempStorage storage;
  int value = in[blockIdx.x * kThreads + threadIdx.x];
  int sum = BlockReduce(storage).Sum(value);
#ifdef REPAIRED
  __syncthreads();
#endif
  int top = BlockReduce(storage).Reduce(value, Larger());
  if (threadIdx.x == 0) {
    sums[blockIdx.x] = sum;
    tops[blockIdx.x] = top;
  }
}

int main() {
  const int blocks = 3;
  int *in, *sums, *tops;
  cudaMallocManaged(&in, blocks * kThreads * sizeof(int));
  cudaMallocManaged(&sums, blocks * sizeof(int));
  cudaMallocManaged(&tops, blocks * sizeof(int));
  for (int i = 0; i < blocks * kThreads; ++i) in[i] = i * 7 % 100;
  summarise<<<blocks, kThreads>>>(in, sums, tops);
  cudaDeviceSynchronize();
  for (int block = 0; block < blocks; ++block) {
    int sum = 0, top = 0;
    for (int i = 0; i < kThreads; ++i) {
      int value = in[block * kThreads + i];
      sum += value;
      top = value > top ? value : top;
    }
    if (sum != sums[block] || top != tops[block]) {
      std::printf("block %d: %d and %d, not %d and %d\n", block, sums[block], tops[block], sum, top);
      return 1;
    }
  }
  return 0;
}
