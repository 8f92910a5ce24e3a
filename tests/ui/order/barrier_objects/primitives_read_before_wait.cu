// verdict: race
// race: lines 24 and 36, variable tile, shared
// repaired: clean
// nvcc: -arch=sm_90
// A warp copies a tile with the pipeline primitives, and an mbarrier object of the primitive interface waits for
// the copies of all lanes. The other warp arrives, too, but reads before it has waited.
// Repaired: it waits. Then the two warps meet at barrier 3, before the tile is written again.
#include <cstdint>
#include <cstdio>
#include <cuda_awbarrier_primitives.h>
#include <cuda_pipeline_primitives.h>
#include <cuda_runtime.h>

__global__ void relay(const int* in, int* out)
{
    __shared__ int tile[32];
    __shared__ __mbarrier_t filled;
    const int lane = threadIdx.x % 32;
    if (threadIdx.x == 0) __mbarrier_init(&filled, 64);
    __syncthreads();
    for (int round = 0; round < 2; round++) {
        bool reads = threadIdx.x >= 32;
        if (!reads) {
            __pipeline_memcpy_async(&tile[lane], &in[round * 32 + lane], sizeof(int));
            __pipeline_arrive_on(&filled);
        }
        const __mbarrier_token_t token = __mbarrier_arrive(&filled);
#ifdef REPAIRED
        while (!__mbarrier_test_wait(&filled, token)) {
        }
#else
        if (!reads) {
            while (!__mbarrier_try_wait(&filled, token, 100)) {}
        }
#endif
        if (reads) out[round * 32 + lane] = tile[31 - lane];
        __barrier_sync(3);
    }
}

int main()
{
    int *in, *out;
    cudaMallocManaged(&in, 64 * sizeof(int));
    cudaMallocManaged(&out, 64 * sizeof(int));
    for (int i = 0; i < 64; i++) in[i] = i;
    relay<<<1, 64>>>(in, out);
    cudaDeviceSynchronize();
#ifdef REPAIRED
    for (int i = 0; i < 64; i++) {
        if (out[i] != i / 32 * 32 + 31 - i % 32) {
            fprintf(stderr, "wrong element %d: %d\n", i, out[i]);
            return 1;
        }
    }
#endif
    return 0;
}
