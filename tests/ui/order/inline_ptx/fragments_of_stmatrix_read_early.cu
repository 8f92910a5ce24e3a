// verdict: race
// race: lines 24 and 48, variable staging, shared
// repaired: clean
// nvcc: -arch=sm_90
// The epilogue of a product: each warp stores its half of the tile to shared memory by stmatrix, and then all
// threads copy rows of the whole tile to global memory, coalesced. `bar.warp.sync` comes between the two, which
// does not order the warps.
// Repaired: a barrier with a number, for all threads of the epilogue.
#include <cstdint>
#include <cstdio>
#include <cuda_fp16.h>
#include <cuda_runtime.h>

constexpr int rows = 16, columns = 16, epilogue_threads = 64;

union Pair {
    __half2 halves;
    uint32_t word;
};

__device__ __forceinline__ void stmatrix_x2(void* to, uint32_t first, uint32_t second)
{
    asm volatile("stmatrix.sync.aligned.m8n8.x2.shared::cta.b16 [%0], {%1, %2};"
                 : : "r"(static_cast<uint32_t>(__cvta_generic_to_shared(to))), "r"(first), "r"(second) : "memory");
}

__global__ void store(float factor, __half* out)
{
    __shared__ alignas(16) __half staging[rows][columns];
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    // The accumulators of mma.m16n8: rows g and g + 8, columns 2t and 2t + 1.
    uint32_t parts[2];
    for (int part = 0; part < 2; part++) {
        const int row = lane / 4 + 8 * part, column = 8 * warp + lane % 4 * 2;
        Pair pair;
        asm("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(pair.word) : "f"(factor * static_cast<float>(row * columns + column + 1)), "f"(factor * static_cast<float>(row * columns + column)));
        parts[part] = pair.word;
    }
    stmatrix_x2(&staging[lane % 16][8 * warp], parts[0], parts[1]);
#ifdef REPAIRED
    asm volatile("bar.sync %0, %1;" : : "n"(3), "n"(epilogue_threads) : "memory");
#else
    asm volatile("bar.warp.sync 0xffffffff;" : : : "memory");
#endif
    // Eight bytes for each thread.
    const int row = threadIdx.x / 4, column = threadIdx.x % 4 * 4;
    uint64_t piece;
    asm volatile("ld.shared.b64 %0, [%1];" : "=l"(piece) : "l"(__cvta_generic_to_shared(&staging[row][column])) : "memory");
    asm volatile("st.global.cs.b64 [%0], %1;" : : "l"(out + row * columns + column), "l"(piece) : "memory");
}

int main()
{
    __half* out;
    cudaMallocManaged(&out, rows * columns * sizeof *out);
    store<<<1, epilogue_threads>>>(0.5f, out);
    cudaDeviceSynchronize();
#ifdef REPAIRED
    for (int i = 0; i < rows * columns; i++) {
        if (__half2float(out[i]) != 0.5f * static_cast<float>(i)) return printf("%d: %g\n", i, __half2float(out[i])), 1;
    }
#endif
    return 0;
}
