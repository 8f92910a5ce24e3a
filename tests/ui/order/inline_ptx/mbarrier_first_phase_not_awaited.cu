// verdict: race
// race: lines 45 and 53, variable slot, shared
// repaired: clean
// nvcc: -arch=sm_90
// One warp fills a slot for another one, eight times. Two mbarrier objects say that it is full, or empty again.
// In the first round, the reader waits after it has read, not before: the first writes and reads
// are unordered.
// Repaired: it waits before it reads, in each round.
#include <cstdio>
#include <cuda_runtime.h>

constexpr int rounds = 8;

__device__ unsigned shared_address(const void* pointer)
{
    return static_cast<unsigned>(__cvta_generic_to_shared(pointer));
}

__device__ void wait_for(unsigned barrier, unsigned parity)
{
    unsigned over = 0;
    while (over == 0) {
        asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.shared.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }"
                     : "=r"(over) : "r"(barrier), "r"(parity) : "memory");
    }
}

__global__ void relay(int* out)
{
    __shared__ int slot[32];
    __shared__ alignas(8) unsigned long long full_object, empty_object;
    const unsigned full = shared_address(&full_object), empty = shared_address(&empty_object);
    const int lane = threadIdx.x % 32;
    if (threadIdx.x == 0) {
        asm volatile("mbarrier.init.shared.b64 [%0], 32;" : : "r"(full) : "memory");
        asm volatile("mbarrier.init.shared.b64 [%0], 32;" : : "r"(empty) : "memory");
    }
    __syncthreads();
    for (int round = 0; round < rounds; round++) {
        const unsigned parity = round % 2;
        unsigned long long state;
        if (threadIdx.x < 32) {
            if (round > 0) wait_for(empty, parity ^ 1);

            slot[lane] = round * 100 + lane;
            asm volatile("mbarrier.arrive.shared.b64 %0, [%1];" : "=l"(state) : "r"(full) : "memory");
        } else {
#ifdef REPAIRED
            wait_for(full, parity);
#else
            if (round > 0) wait_for(full, parity);
#endif
            out[round * 32 + lane] = slot[31 - lane];
#ifndef REPAIRED
            if (round == 0) wait_for(full, parity);
#endif
            asm volatile("mbarrier.arrive.release.cta.shared::cta.b64 %0, [%1];" : "=l"(state) : "r"(empty) : "memory");
        }
    }
}

int main()
{
    int* out;
    cudaMallocManaged(&out, rounds * 32 * sizeof(int));
    relay<<<1, 64>>>(out);
    cudaDeviceSynchronize();
#ifdef REPAIRED
    for (int i = 0; i < rounds * 32; i++) {
        if (out[i] != i / 32 * 100 + 31 - i % 32) {
            fprintf(stderr, "wrong element %d: %d\n", i, out[i]);
            return 1;
        }
    }
#endif
    return 0;
}
