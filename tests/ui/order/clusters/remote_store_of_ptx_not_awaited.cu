// verdict: race
// repaired: clean
// race: lines 31 and 33, variable from_peer, shared
//
// Each block of a cluster sends numbers to the next one by st_async of cuda::ptx, whose mbarrier object counts the bytes.
// The receiver reads them before it waits there.
// Repaired: it waits first.
#include <cstdint>
#include <cooperative_groups.h>
#include <cuda/ptx>
#include <cuda_runtime.h>

namespace cg = cooperative_groups;
namespace ptx = cuda::ptx;

__global__ void __cluster_dims__(2, 1, 1) exchange(int* out) {
  __shared__ alignas(16) int from_peer[32];
  __shared__ alignas(8) std::uint64_t received;
  const auto cluster = cg::this_cluster();
  const unsigned t = threadIdx.x, peer = cluster.block_rank() ^ 1;
  if (t == 0) {
    ptx::mbarrier_init(&received, 1);
    ptx::fence_mbarrier_init(ptx::sem_release, ptx::scope_cluster);
    ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &received, sizeof from_peer);
  }
  ptx::barrier_cluster_arrive(ptx::sem_release);
  ptx::barrier_cluster_wait();

  int* const to = cluster.map_shared_rank(from_peer, peer);
  std::uint64_t* const there = cluster.map_shared_rank(&received, peer);
  ptx::st_async(&to[t], static_cast<int>(100 * cluster.block_rank() + t), there);
#ifndef REPAIRED
  int number = from_peer[t];
#endif
  while (!ptx::mbarrier_try_wait_parity(ptx::sem_acquire, ptx::scope_cluster, &received, 0)) {}
#ifdef REPAIRED
  const int number = from_peer[t];
#endif
  out[blockIdx.x * 32 + t] = number;
  ptx::barrier_cluster_arrive(ptx::sem_relaxed);
  ptx::barrier_cluster_wait();
}

int main() {
  int* out;
  cudaMalloc(&out, 64 * sizeof(int));
  exchange<<<2, 32>>>(out);
  int h[64];
  cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost);
#ifdef REPAIRED
  for (int i = 0; i < 64; ++i) {
    if (h[i] != 100 * (1 - i / 32) + i % 32) return 1;
  }
#endif
}
