// verdict: race
// race: lines 61 and 73, variable next_tile, shared
// fault: HF019, line 19
// repaired: clean
// nvcc: -arch=compute_90a -code=sm_90a
// A persistent kernel: the elected leader of a scheduler warp takes tiles from a counter and passes the number
// on in shared memory to a warpgroup that computes. Named barriers tell that a number is there (`full`, where
// the scheduler arrives) and that it has been read (`empty`). The scheduler only waits for `empty` after it has
// written the next number.
// Repaired: before.
#include <cstdint>
#include <cstdio>
#include <cuda_runtime.h>

constexpr int workers = 128, tiles = 7, blocks = 2;
constexpr uint32_t full = 1, empty = 2, participants = 32 + workers;

__device__ __forceinline__ void arrive(uint32_t id) { asm volatile("barrier.cta.arrive.aligned %0, %1;" ::"r"(id), "n"(participants) : "memory"); }
__device__ __forceinline__ void sync(uint32_t id) { asm volatile("barrier.cta.sync.aligned %0, %1;" ::"r"(id), "n"(participants) : "memory"); }

template <uint32_t registers>
__device__ __forceinline__ void keep_registers()
{
    asm volatile("setmaxnreg.dec.sync.aligned.u32 %0;" ::"n"(registers));
}
template <uint32_t registers>
__device__ __forceinline__ void take_registers()
{
    asm volatile("setmaxnreg.inc.sync.aligned.u32 %0;" ::"n"(registers));
}

__device__ __forceinline__ uint32_t elect_one_sync()
{
    uint32_t pred = 0, laneid = 0;
    asm volatile(
        "{\n"
        ".reg .b32 %%rx;\n"
        ".reg .pred %%px;\n"
        "     elect.sync %%rx|%%px, %2;\n"
        "@%%px mov.s32 %1, 1;\n"
        "     mov.s32 %0, %%rx;\n"
        "}\n"
        : "+r"(laneid), "+r"(pred) : "r"(0xFFFFFFFF));
    return pred;
}

__global__ void __launch_bounds__(2 * workers) persistent(const int* in, int* out, int* counter)
{
    __shared__ int next_tile;
    if (threadIdx.x >= workers) {
        keep_registers<24>();
        if (threadIdx.x >= workers + 32) return;
        const uint32_t leads = elect_one_sync();
        int tile = 0;
        for (bool first = true; tile < tiles; first = false) {
#ifdef REPAIRED
            if (!first) sync(empty);
#endif
            if (leads) {
                asm volatile("atom.relaxed.gpu.global.add.s32 %0, [%1], 1;" : "=r"(tile) : "l"(counter) : "memory");
                next_tile = tile;
            }
            asm volatile("shfl.sync.idx.b32 %0, %0, 0, 31, -1;" : "+r"(tile));
#ifndef REPAIRED
            if (!first) sync(empty);
#endif
            arrive(full);
        }
    } else {
        take_registers<240>();
        for (;;) {
            sync(full);
            const int tile = next_tile;
            if (tile >= tiles) break;
            arrive(empty);
            out[tile * workers + threadIdx.x] = 2 * in[tile * workers + workers - 1 - threadIdx.x];
        }
    }
}

int main()
{
    constexpr int n = tiles * workers;
    int *in, *out, *counter;
    cudaMallocManaged(&in, n * sizeof *in);
    cudaMallocManaged(&out, n * sizeof *out);
    cudaMallocManaged(&counter, sizeof *counter);
    *counter = 0;
    for (int i = 0; i < n; i++) in[i] = i;
    persistent<<<blocks, 2 * workers>>>(in, out, counter);
    cudaDeviceSynchronize();
#ifdef REPAIRED
    for (int i = 0; i < n; i++) {
        if (out[i] != 2 * (i / workers * workers + workers - 1 - i % workers)) return printf("%d: %d\n", i, out[i]), 1;
    }
#endif
    return 0;
}
