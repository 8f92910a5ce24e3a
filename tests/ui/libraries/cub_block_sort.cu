// verdict: race
// race: lines 46 and 50, variable storage, shared
// repaired: clean
// Sorts tiles by radix and by merging, and counts the distinct keys of each by their heads.
// Heads are flagged before all threads have finished merging.
// Repaired: a barrier comes first.
#include <cstdio>

#include <cub/block/block_discontinuity.cuh>
#include <cub/block/block_load.cuh>
#include <cub/block/block_merge_sort.cuh>
#include <cub/block/block_radix_sort.cuh>
#include <cub/block/block_reduce.cuh>
#include <cub/block/block_store.cuh>

constexpr int kThreads = 64;
constexpr int kItems = 3;
constexpr int kTile = kThreads * kItems;

struct Less {
  __device__ bool operator()(unsigned a, unsigned b) const { return a < b; }
};
struct Differ {
  __device__ bool operator()(unsigned a, unsigned b) const { return a != b; }
};

__global__ void sort_tiles(const unsigned* in, unsigned* by_radix, unsigned* by_merge, int* positions, int* distinct) {
  using RadixSort = cub::BlockRadixSort<unsigned, kThreads, kItems, int>;
  using MergeSort = cub::BlockMergeSort<unsigned, kThreads, kItems>;
  using Heads = cub::BlockDiscontinuity<unsigned, kThreads>;
  using Reduce = cub::BlockReduce<int, kThreads>;
  __shared__ union {
    typename RadixSort::TempStorage radix;
    typename MergeSort::TempStorage merge;
    typename Heads::TempStorage heads;
    typename Reduce::TempStorage reduce;
  } storage;
  unsigned keys[kItems], others[kItems];
  int values[kItems], heads[kItems];
  int base = blockIdx.x * kTile;
  cub::LoadDirectBlocked(threadIdx.x, in + base, keys);
  cub::LoadDirectBlocked(threadIdx.x, in + base, others);
  for (int i = 0; i < kItems; ++i) values[i] = threadIdx.x * kItems + i;
  RadixSort(storage.radix).Sort(keys, values);
  __syncthreads();
  MergeSort(storage.merge).Sort(others, Less());
#ifdef REPAIRED
  __syncthreads();
#endif
  Heads(storage.heads).FlagHeads(heads, keys, Differ());
  __syncthreads();
  int count = Reduce(storage.reduce).Sum(heads);
  if (threadIdx.x == 0) distinct[blockIdx.x] = count;
  cub::StoreDirectBlocked(threadIdx.x, by_radix + base, keys);
  cub::StoreDirectBlocked(threadIdx.x, by_merge + base, others);
  cub::StoreDirectBlocked(threadIdx.x, positions + base, values);
}

int main() {
  const int blocks = 2;
  unsigned *in, *by_radix, *by_merge;
  int *positions, *distinct;
  cudaMallocManaged(&in, blocks * kTile * sizeof(unsigned));
  cudaMallocManaged(&by_radix, blocks * kTile * sizeof(unsigned));
  cudaMallocManaged(&by_merge, blocks * kTile * sizeof(unsigned));
  cudaMallocManaged(&positions, blocks * kTile * sizeof(int));
  cudaMallocManaged(&distinct, blocks * sizeof(int));
  for (int i = 0; i < blocks * kTile; ++i) in[i] = i * 2654435761u >> 26;
  sort_tiles<<<blocks, kThreads>>>(in, by_radix, by_merge, positions, distinct);
  cudaDeviceSynchronize();
  for (int block = 0; block < blocks; ++block) {
    int heads = 0;
    for (int i = block * kTile; i < (block + 1) * kTile; ++i) {
      bool begins = i == block * kTile;
      heads += begins || by_radix[i - 1] != by_radix[i];
      bool ordered = begins || by_radix[i - 1] <= by_radix[i];
      if (!ordered || by_radix[i] != by_merge[i] || by_radix[i] != in[block * kTile + positions[i]]) {
        std::printf("wrong at %d\n", i);
        return 1;
      }
    }
    if (heads != distinct[block]) {
      std::printf("%d distinct keys, not %d\n", distinct[block], heads);
      return 1;
    }
  }
  return 0;
}
