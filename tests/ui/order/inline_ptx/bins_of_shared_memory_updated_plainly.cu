// verdict: race
// race: lines 17 and 31, variable address, shared
// race: lines 31 and 31, variable address, shared
// repaired: clean
// nvcc: -arch=sm_80
// A histogram in shared memory by `red.shared.add`. The elements of the rest, which the first threads count
// after the loop, are counted by a load and a store in one `asm` statement: others may update the bin between
// the two.
// Repaired: by `red.shared.add`, too.
#include <cstdio>
#include <cuda_runtime.h>

constexpr unsigned threads = 64, bins_count = 16, n = 3 * threads + 20;

__device__ __forceinline__ void count(unsigned address)
{
    asm volatile("red.relaxed.cta.shared.add.u32 [%0], %1;" : : "r"(address), "r"(1) : "memory");
}

__device__ __forceinline__ void count_last(unsigned address)
{
#ifdef REPAIRED
    count(address);
#else
    asm volatile(
        "{\n\t"
        ".reg .u32 old;\n\t"
        "ld.shared.u32 old, [%0];\n\t"
        "add.u32 old, old, 1;\n\t"
        "st.shared.u32 [%0], old;\n\t"
        "}" : : "r"(address) : "memory");
#endif
}

__global__ void histogram(const unsigned char* in, unsigned* out)
{
    __shared__ unsigned bins[bins_count];
    const unsigned t = threadIdx.x;
    const unsigned first = static_cast<unsigned>(__cvta_generic_to_shared(bins));
    if (t < bins_count) bins[t] = 0;
    __syncthreads();
    unsigned i = t;
    for (; i + threads <= n; i += threads) count(first + 4 * (in[i] % bins_count));
    if (i < n) count_last(first + 4 * (in[i] % bins_count));
    __syncthreads();
    if (t < bins_count) out[t] = bins[t];
}

int main()
{
    unsigned char* in;
    unsigned *out, wanted[bins_count] = {};
    cudaMallocManaged(&in, n);
    cudaMallocManaged(&out, bins_count * sizeof *out);
    for (unsigned i = 0; i < n; i++) {
        in[i] = static_cast<unsigned char>(i * 7 % 31);
        wanted[in[i] % bins_count]++;
    }
    histogram<<<1, threads>>>(in, out);
    cudaDeviceSynchronize();
#ifdef REPAIRED
    for (unsigned i = 0; i < bins_count; i++) {
        if (out[i] != wanted[i]) return printf("%u: %u instead of %u\n", i, out[i], wanted[i]), 1;
    }
#endif
    return 0;
}
