// verdict: race
// race: lines 42 and 54, variable tile, shared
// repaired: clean
// A producer warp fills the two slots of a ring for a consumer warp. Both wait for phases of barriers by a
// loop in one assembly statement, with labels and branches, as libraries of matrix products write it.
// The consumer frees a slot before it has read it.
// Repaired: it reads first.
// nvcc: -arch=sm_90
#include <cstdio>
#include <cuda_runtime.h>

constexpr int slots = 2, rounds = 6;

__device__ void wait_for(unsigned barrier, unsigned parity)
{
    asm volatile(
        "{\n"
        "  .reg .pred done;\n"
        "try_again:\n"
        "  mbarrier.try_wait.parity.shared::cta.b64 done, [%0], %1;\n"
        "  @done bra is_complete;\n"
        "  bra try_again;\n"
        "is_complete:\n"
        "}" ::"r"(barrier), "r"(parity) : "memory");
}

__device__ void arrive(unsigned barrier)
{
    asm volatile("{ .reg .b64 state; mbarrier.arrive.shared::cta.b64 state, [%0]; }" ::"r"(barrier) : "memory");
}

__device__ unsigned in_shared(const void* object) { return (unsigned)__cvta_generic_to_shared(object); }

__device__ void produce(const int* in, int (*tile)[32], const unsigned long long* full, const unsigned long long* empty)
{
    const int lane = threadIdx.x % 32;
    for (int round = 0; round < rounds; round++) {
        const int slot = round % slots;
        // Each slot is free at first.
        const unsigned parity = (round / slots + 1) % 2;
        wait_for(in_shared(&empty[slot]), parity);
        tile[slot][lane] = in[round * 32 + lane];
        arrive(in_shared(&full[slot]));
    }
}

__device__ int consume(int (*tile)[32], int slot, unsigned parity, const unsigned long long* full,
                       const unsigned long long* empty)
{
    wait_for(in_shared(&full[slot]), parity);
#ifndef REPAIRED
    arrive(in_shared(&empty[slot]));
#endif
    const int value = tile[slot][31 - threadIdx.x % 32];
#ifdef REPAIRED
    arrive(in_shared(&empty[slot]));
#endif
    return value;
}

__global__ void pass_tiles(const int* in, int* out)
{
    __shared__ int tile[slots][32];
    __shared__ alignas(8) unsigned long long full[slots], empty[slots];
    if (threadIdx.x < slots) {
        asm volatile("mbarrier.init.shared::cta.b64 [%0], 32;" ::"r"(in_shared(&full[threadIdx.x])));
        asm volatile("mbarrier.init.shared::cta.b64 [%0], 32;" ::"r"(in_shared(&empty[threadIdx.x])));
    }
    __syncthreads();
    if (threadIdx.x < 32) return produce(in, tile, full, empty);
    for (int round = 0; round < rounds; round++) {
        const int slot = round % slots;
        out[round * 32 + threadIdx.x % 32] = consume(tile, slot, round / slots % 2, full, empty);
    }
}

int main()
{
    const int n = rounds * 32;
    int host[n], result[n], *in, *out;
    for (int i = 0; i < n; i++) host[i] = i * 7;
    cudaMalloc(&in, sizeof host);
    cudaMalloc(&out, sizeof host);
    cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice);
    pass_tiles<<<1, 64>>>(in, out);
    cudaMemcpy(result, out, sizeof result, cudaMemcpyDeviceToHost);
    printf("%d\n", result[n - 1]);
#ifdef REPAIRED
    for (int i = 0; i < n; i++) {
        if (result[i] != host[i / 32 * 32 + 31 - i % 32]) return 1;
    }
#endif
    return 0;
}
