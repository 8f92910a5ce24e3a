// verdict: race
// race: lines 46 and 63, variable slot, shared
// repaired: clean
// nvcc: -arch=compute_90a -code=sm_90a
// The second block of a cluster reads what the first has in its shared memory, arrives at a barrier there, and the
// first one writes again. The arrival is of the scope of its block, so it orders nothing for the other one.
// Repaired: the arrival names no scope, as CUTLASS writes it.
#include <cstdint>
#include <cuda_runtime.h>

constexpr uint32_t rounds = 4;

__device__ uint32_t address(const void* p) { return static_cast<uint32_t>(__cvta_generic_to_shared(p)); }

__device__ uint32_t in_block(uint32_t local, uint32_t rank) {
  uint32_t there;
  asm volatile("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(there) : "r"(local), "r"(rank));
  return there;
}

__device__ void arrive(uint32_t barrier) {
#ifdef REPAIRED
  asm volatile("mbarrier.arrive.shared::cluster.b64 _, [%0];" ::"r"(barrier) : "memory");
#else
  asm volatile("mbarrier.arrive.release.cta.shared::cluster.b64 _, [%0];" ::"r"(barrier) : "memory");
#endif
}

__device__ void wait(uint32_t barrier, uint32_t parity) {
  uint32_t done = 0;
  while (done == 0) {
    asm volatile(
        "{\n\t.reg .pred p;\n\t"
        "mbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2;\n\t"
        "selp.u32 %0, 1, 0, p;\n\t}"
        : "=r"(done) : "r"(barrier), "r"(parity) : "memory");
  }
}

__device__ void sync_cluster() {
  asm volatile("barrier.cluster.arrive.release.aligned;\n\tbarrier.cluster.wait.acquire.aligned;" ::: "memory");
}

__device__ int load(uint32_t from) {
  int value;
  asm volatile("ld.shared::cluster.s32 %0, [%1];" : "=r"(value) : "r"(from) : "memory");
  return value;
}

__global__ void __cluster_dims__(2) pass_on(int* out) {
  __shared__ alignas(8) uint64_t full, empty;
  __shared__ int slot;
  const uint32_t rank = blockIdx.x;
  if (threadIdx.x == 0) {
    asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(address(&full)));
    asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(address(&empty)));
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
  }
  sync_cluster();
  for (uint32_t round = 0; round < rounds && threadIdx.x == 0; ++round) {
    if (rank == 0) {
      if (round > 0) wait(address(&empty), (round - 1) & 1);
      slot = round;
      asm volatile("mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%0];" ::"r"(in_block(address(&full), 1)) : "memory");
    } else {
      wait(address(&full), round & 1);
      out[round] = load(in_block(address(&slot), 0));
      arrive(in_block(address(&empty), 0));
    }
  }
  // No block ends while the other one may access its shared memory.
  sync_cluster();
}

int main() {
  int* out;
  cudaMalloc(&out, rounds * sizeof(int));
  pass_on<<<2, 32>>>(out);
  return cudaDeviceSynchronize();
}
