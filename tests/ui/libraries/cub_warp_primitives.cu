// verdict: race
// race: lines 31 and 35, variable exchange, shared
// repaired: clean
// Reductions and scans of warps and half warps use shuffles, which need no storage.
// An exchange needs storage, and a warp barrier before the next exchange,
// which is missing here.
// Repaired: the barrier is added.
#include <cstdio>

#include <cub/warp/warp_exchange.cuh>
#include <cub/warp/warp_reduce.cuh>
#include <cub/warp/warp_scan.cuh>

constexpr int kThreads = 64;

__global__ void by_warps(const int* in, int* sums, int* scans, int* turned) {
  using Reduce = cub::WarpReduce<int>;
  using Scan = cub::WarpScan<int>;
  using Exchange = cub::WarpExchange<int, 2>;
  __shared__ typename Reduce::TempStorage reduce[kThreads / 32];
  __shared__ typename Scan::TempStorage scan[kThreads / 32];
  __shared__ typename Exchange::TempStorage exchange[kThreads / 32];
  const int warp = threadIdx.x / 32;
  int value = in[threadIdx.x];
  int sum = Reduce(reduce[warp]).Sum(value);
  if (threadIdx.x % 32 == 0) sums[warp] = sum;
  int before, total;
  Scan(scan[warp]).ExclusiveSum(value, before, total);
  scans[threadIdx.x] = before;
  int items[2] = {static_cast<int>(threadIdx.x) * 2, static_cast<int>(threadIdx.x) * 2 + 1};
  Exchange(exchange[warp]).BlockedToStriped(items, items);
#ifdef REPAIRED
  __syncwarp();
#endif
  Exchange(exchange[warp]).StripedToBlocked(items, items);
  turned[threadIdx.x] = items[0] + items[1] + total;
}

int main() {
  int *in, *sums, *scans, *turned;
  cudaMallocManaged(&in, kThreads * sizeof(int));
  cudaMallocManaged(&sums, kThreads * sizeof(int));
  cudaMallocManaged(&scans, kThreads * sizeof(int));
  cudaMallocManaged(&turned, kThreads * sizeof(int));
  for (int i = 0; i < kThreads; ++i) in[i] = i % 5 + 1;
  by_warps<<<1, kThreads>>>(in, sums, scans, turned);
  cudaDeviceSynchronize();
  for (int warp = 0; warp < kThreads / 32; ++warp) {
    int sum = 0;
    for (int i = warp * 32; i < warp * 32 + 32; ++i) {
      if (scans[i] != sum) return 1;
      sum += in[i];
    }
    if (sums[warp] != sum) return 1;
    for (int i = warp * 32; i < warp * 32 + 32; ++i) {
      if (turned[i] != 4 * i + 1 + sum) return 1;
    }
  }
  std::printf("all right\n");
  return 0;
}
