// verdict: race
// race: lines 33 and 39, variable x, shared
// repaired: clean
// nvcc: -arch=sm_80
// An iteration ends when no element changes much: all threads write, vote by `bar.red.or`, and read their
// neighbours' elements. The last warp has no element that may change, and so it skips the vote and takes no part
// in its barrier. It still reads and writes its elements, which its neighbours read.
// Repaired: all warps vote.
#include <cstdio>
#include <cuda_runtime.h>

constexpr int threads = 96, voters = 64, steps = 3;

__device__ __forceinline__ bool any_of(bool changed, int id, int count)
{
    int any;
    asm volatile(
        "{\n"
        "  .reg .pred p, q;\n"
        "  setp.ne.s32 p, %1, 0;\n"
        "  barrier.cta.red.or.pred q, %2, %3, p;\n"
        "  selp.s32 %0, 1, 0, q;\n"
        "}\n" : "=r"(any) : "r"(static_cast<int>(changed)), "r"(id), "r"(count) : "memory");
    return any;
}

__global__ void smooth(int* out)
{
    __shared__ int x[threads];
    const int t = threadIdx.x;
    int value = t < voters ? 0 : 64;
    for (int step = 0; step < steps; step++) {
        x[t] = value;
#ifdef REPAIRED
        any_of(t < voters, 1, threads);
#else
        if (t < voters) any_of(true, 1, voters);
#endif
        const int left = t > 0 ? x[t - 1] : 0, right = t + 1 < threads ? x[t + 1] : 64;
        const int next = t < voters ? (left + right) / 2 : value;
#ifdef REPAIRED
        const bool goes_on = any_of(next != value, 2, threads);
#else
        const bool goes_on = t >= voters || any_of(next != value, 2, voters);
#endif
        value = next;
        if (!goes_on) break;
    }
    out[t] = value;
}

int main()
{
    int *out;
    cudaMallocManaged(&out, threads * sizeof *out);
    smooth<<<1, threads>>>(out);
    cudaDeviceSynchronize();
#ifdef REPAIRED
    // What the border has reached after three steps.
    const int last[] = {8, 16, 40};
    for (int t = 0; t < threads; t++) {
        const int wanted = t < 61 ? 0 : t < voters ? last[t - 61] : 64;
        if (out[t] != wanted) return printf("%d: %d\n", t, out[t]), 1;
    }
#endif
    return 0;
}
