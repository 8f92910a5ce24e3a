// verdict: race
// race: lines 13 and 41, variable tile, shared
// repaired: clean
// nvcc: -arch=sm_80
// A product with integers in two stages, which all warps fill and read. A step waits for its copies, meets at a
// barrier, reads its stage and then refills it for the step after the next one. A fast warp may refill the stage
// while a slow one still reads it: the barrier of the next step comes after that.
// Repaired: `bar.sync` before the refill, too.
#include <cstdio>
#include <cuda_runtime.h>

#define CP_ASYNC(bytes, to, from) \
    asm volatile("cp.async.ca.shared.global [%0], [%1], " #bytes ";" ::"r"(to), "l"(from) : "memory")
#define BAR_SYNC "bar.sync 0;\n\t"
#define CP_ASYNC_WAIT(groups) asm volatile("cp.async.wait_group " #groups ";\n\t" BAR_SYNC ::: "memory")

constexpr int threads = 64, steps = 5;

__device__ __forceinline__ unsigned smem(const void* p)
{
    unsigned address;
    asm("{ .reg .u64 wide;\n"
        "  cvta.to.shared.u64 wide, %1;\n"
        "  cvt.u32.u64 %0, wide; }\n" : "=r"(address) : "l"(p));
    return address;
}

__global__ void accumulate(const int* in, int* out)
{
    __shared__ alignas(16) int tiles[2][threads];
    const int t = threadIdx.x;
    int sum = 0;
    for (int k = 0; k < 2; k++) {
        CP_ASYNC(4, smem(&tiles[k][t]), in + k * threads + t);
        asm volatile("cp.async.commit_group;" ::: "memory");
    }
    for (int k = 0; k < steps; k++) {
        // All but the newest group are done; then, for all threads.
        CP_ASYNC_WAIT(1);
        const int* tile = tiles[k & 1];
        sum += tile[t] * tile[threads - 1 - t];
#ifdef REPAIRED
        asm volatile("" BAR_SYNC ::: "memory");
#endif
        if (k + 2 < steps) CP_ASYNC(4, smem(&tiles[k & 1][t]), in + (k + 2) * threads + t);
        asm volatile("cp.async.commit_group;" ::: "memory");
    }
    out[t] = sum;
}

int main()
{
    int *in, *out;
    cudaMallocManaged(&in, steps * threads * sizeof *in);
    cudaMallocManaged(&out, threads * sizeof *out);
    for (int i = 0; i < steps * threads; i++) in[i] = i % 11 - 3;
    accumulate<<<1, threads>>>(in, out);
    cudaDeviceSynchronize();
#ifdef REPAIRED
    for (int t = 0; t < threads; t++) {
        int sum = 0;
        for (int k = 0; k < steps; k++) sum += in[k * threads + t] * in[k * threads + threads - 1 - t];
        if (out[t] != sum) return printf("%d: %d instead of %d\n", t, out[t], sum), 1;
    }
#endif
    return 0;
}
