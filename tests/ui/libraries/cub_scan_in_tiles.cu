// verdict: race
// race: lines 39 and 43, variable storage, shared
// repaired: clean
// A prefix sum over a long array by one block, tile after tile: load, scan with a running
// total, store, all in one union of storages. The scan
// begins before all threads have finished loading.
// Repaired: a barrier separates the two.
#include <cstdio>

#include <cub/block/block_load.cuh>
#include <cub/block/block_scan.cuh>
#include <cub/block/block_store.cuh>

constexpr int kThreads = 64;
constexpr int kItems = 4;
constexpr int kTile = kThreads * kItems;

struct RunningTotal {
  int total;
  __device__ int operator()(int tile_total) {
    int before = total;
    total += tile_total;
    return before;
  }
};

__global__ void prefix_sums(const int* in, int* out, int n) {
  using Load = cub::BlockLoad<int, kThreads, kItems, cub::BLOCK_LOAD_TRANSPOSE>;
  using Scan = cub::BlockScan<int, kThreads>;
  using Store = cub::BlockStore<int, kThreads, kItems, cub::BLOCK_STORE_TRANSPOSE>;
  __shared__ union {
    typename Load::TempStorage load;
    typename Scan::TempStorage scan;
    typename Store::TempStorage store;
  } storage;
  RunningTotal running{0};
  for (int begin = 0; begin < n; begin += kTile) {
    int items[kItems];
    Load(storage.load).Load(in + begin, items, n - begin, 0);
#ifdef REPAIRED
    __syncthreads();
#endif
    Scan(storage.scan).ExclusiveSum(items, items, running);
    __syncthreads();
    Store(storage.store).Store(out + begin, items, n - begin);
    __syncthreads();
  }
}

int main() {
  const int n = 1000;
  int *in, *out;
  cudaMallocManaged(&in, n * sizeof(int));
  cudaMallocManaged(&out, n * sizeof(int));
  for (int i = 0; i < n; ++i) in[i] = i % 13;
  prefix_sums<<<1, kThreads>>>(in, out, n);
  cudaDeviceSynchronize();
  int sum = 0;
  for (int i = 0; i < n; ++i) {
    if (out[i] != sum) {
      std::printf("out[%d] is %d, not %d\n", i, out[i], sum);
      return 1;
    }
    sum += in[i];
  }
  return 0;
}
