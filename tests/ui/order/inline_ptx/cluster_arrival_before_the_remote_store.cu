// verdict: race
// race: lines 52 and 58, variable inbox, shared
// repaired: clean
// nvcc: -arch=sm_90
// Each block of a cluster sums its part and stores the sum in the inbox of the first block, by
// `st.shared::cluster`. To overlap, it arrives at the cluster's barrier early and waits late, with the store
// between the two: the arrival does not release the store, and the first block reads the inbox after its wait.
// Repaired: the store comes before the arrival.
#include <cstdint>
#include <cstdio>
#include <cuda_runtime.h>

constexpr unsigned blocks = 4, n = 32;

#define CLUSTER_ARRIVE() asm volatile("barrier.cluster.arrive.release.aligned;\n" ::: "memory")
#define CLUSTER_WAIT() asm volatile("barrier.cluster.wait.acquire.aligned;\n" ::: "memory")

__device__ __forceinline__ uint32_t mapa(const void* p, uint32_t rank)
{
    uint32_t address;
    asm("{ .reg .u32 mine;\n"
        "  mov.b32 mine, %1;\n"
        "  mapa.shared::cluster.u32 %0, mine, %2; }\n"
        : "=r"(address) : "r"(static_cast<uint32_t>(__cvta_generic_to_shared(p))), "r"(rank));
    return address;
}

__device__ __forceinline__ int sum_of_warp(int value)
{
    int sum;
    asm volatile("redux.sync.add.s32 %0, %1, 0xffffffff;" : "=r"(sum) : "r"(value));
    return sum;
}

__global__ void __cluster_dims__(blocks) sum(const int* in, int* total)
{
    __shared__ int inbox[blocks];
    uint32_t rank;
    asm("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
    // All blocks must have begun.
    CLUSTER_ARRIVE();
    const int mine = sum_of_warp(in[blockIdx.x * n + threadIdx.x]);
    CLUSTER_WAIT();
#ifdef REPAIRED
    if (threadIdx.x == 0) {
        asm volatile("st.shared::cluster.s32 [%0], %1;" : : "r"(mapa(&inbox[rank], 0)), "r"(mine) : "memory");
    }
    CLUSTER_ARRIVE();
#else
    CLUSTER_ARRIVE();
    if (threadIdx.x == 0) {
        asm volatile("st.shared::cluster.s32 [%0], %1;" : : "r"(mapa(&inbox[rank], 0)), "r"(mine) : "memory");
    }
#endif
    CLUSTER_WAIT();
    if (rank == 0 && threadIdx.x == 0) {
        int all = 0;
        for (unsigned block = 0; block < blocks; block++) all += inbox[block];
        *total = all;
    }
    // The first block must not end before.
    CLUSTER_ARRIVE();
    CLUSTER_WAIT();
}

int main()
{
    int *in, *total;
    cudaMallocManaged(&in, blocks * n * sizeof *in);
    cudaMallocManaged(&total, sizeof *total);
    int wanted = 0;
    for (unsigned i = 0; i < blocks * n; i++) wanted += in[i] = static_cast<int>(i * 5 % 17);
    sum<<<blocks, n>>>(in, total);
    cudaDeviceSynchronize();
#ifdef REPAIRED
    if (*total != wanted) return printf("%d instead of %d\n", *total, wanted), 1;
#endif
    return 0;
}
