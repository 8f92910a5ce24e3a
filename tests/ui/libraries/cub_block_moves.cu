// verdict: clean
// Exchanges, shuffles, differences, histograms and merges within a block and its half warps.
#include <cstdio>

#include <cub/block/block_adjacent_difference.cuh>
#include <cub/block/block_exchange.cuh>
#include <cub/block/block_histogram.cuh>
#include <cub/block/block_shuffle.cuh>
#include <cub/warp/warp_merge_sort.cuh>
#include <cub/warp/warp_reduce.cuh>

constexpr int kThreads = 64;
constexpr int kItems = 2;
constexpr int kBins = 8;

struct Minus {
  __device__ int operator()(int a, int b) const { return a - b; }
};
struct Greater {
  __device__ bool operator()(int a, int b) const { return a > b; }
};

__global__ void moves(int* striped, int* rotated, int* differences, int* bins, int* merged, int* halves) {
  using Exchange = cub::BlockExchange<int, kThreads, kItems>;
  using Shuffle = cub::BlockShuffle<int, kThreads>;
  using Difference = cub::BlockAdjacentDifference<int, kThreads>;
  using Histogram = cub::BlockHistogram<int, kThreads, kItems, kBins, cub::BLOCK_HISTO_ATOMIC>;
  using MergeSort = cub::WarpMergeSort<int, kItems>;
  using Half = cub::WarpReduce<int, 16>;
  __shared__ union {
    typename Exchange::TempStorage exchange;
    typename Shuffle::TempStorage shuffle;
    typename Difference::TempStorage difference;
    typename Histogram::TempStorage histogram;
  } storage;
  __shared__ typename MergeSort::TempStorage merge[kThreads / 32];
  __shared__ typename Half::TempStorage half[kThreads / 16];
  __shared__ int counts[kBins];
  const int first = threadIdx.x * kItems;
  int items[kItems] = {first, first + 1};
  Exchange(storage.exchange).BlockedToStriped(items);
  for (int i = 0; i < kItems; ++i) striped[first + i] = items[i];
  __syncthreads();
  Exchange(storage.exchange).StripedToBlocked(items);
  __syncthreads();
  int next;
  Shuffle(storage.shuffle).Rotate(items[0], next, 1);
  rotated[threadIdx.x] = next;
  __syncthreads();
  int squares[kItems] = {first * first, (first + 1) * (first + 1)};
  Difference(storage.difference).SubtractLeft(squares, squares, Minus());
  for (int i = 0; i < kItems; ++i) differences[first + i] = squares[i];
  __syncthreads();
  int samples[kItems] = {first % kBins, (first + 1) % 3};
  Histogram(storage.histogram).Histogram(samples, counts);
  __syncthreads();
  if (threadIdx.x < kBins) bins[threadIdx.x] = counts[threadIdx.x];
  MergeSort(merge[threadIdx.x / 32]).Sort(items, Greater());
  for (int i = 0; i < kItems; ++i) merged[first + i] = items[i];
  const int sum = Half(half[threadIdx.x / 16]).Sum(static_cast<int>(threadIdx.x));
  if (threadIdx.x % 16 == 0) halves[threadIdx.x / 16] = sum;
}

int main() {
  int* arrays[6];
  for (int*& array : arrays) cudaMallocManaged(&array, kThreads * kItems * sizeof(int));
  moves<<<1, kThreads>>>(arrays[0], arrays[1], arrays[2], arrays[3], arrays[4], arrays[5]);
  cudaDeviceSynchronize();
  int wrong = 0, bins[kBins] = {};
  for (int i = 0; i < kThreads * kItems; ++i) {
    wrong += arrays[0][i] != i / kItems + i % kItems * kThreads;
    wrong += arrays[2][i] != (i == 0 ? 0 : 2 * i - 1);
    wrong += arrays[4][i] != i / 64 * 64 + 63 - i % 64;
    ++bins[i % kItems == 0 ? i % kBins : i % 3];
  }
  for (int i = 0; i < kThreads; ++i) wrong += arrays[1][i] != (i + 1) % kThreads * kItems;
  for (int i = 0; i < kBins; ++i) wrong += arrays[3][i] != bins[i];
  for (int i = 0; i < kThreads / 16; ++i) wrong += arrays[5][i] != 16 * 16 * i + 120;
  if (wrong != 0) std::printf("%d values are wrong\n", wrong);
  return wrong;
}
