// verdict: race
// race: lines 55 and 78, variable tiles, global
// race-also: lines 56 and 75, variable tiles, global
// repaired: clean
// nvcc: -arch=sm_80
// A scan in one pass with decoupled look-back: a block publishes the aggregate of its part, then its inclusive
// prefix, each by a fence and a relaxed state. The fence has block scope, so it orders nothing for other blocks.
// Repaired: the fences have the scope of the device.
#include <cstdio>
#include <cuda_runtime.h>

constexpr int blocks = 6, threads = 32;
enum State : int { invalid = 0, has_aggregate = 1, has_prefix = 2 };

struct Tiles {
    int* state;
    int* aggregate;
    int* prefix;
};

__device__ __forceinline__ void fence()
{
#ifdef REPAIRED
    asm volatile("fence.acq_rel.gpu;" : : : "memory");
#else
    asm volatile("fence.acq_rel.cta;" : : : "memory");
#endif
}

__device__ __forceinline__ void publish(int* state, State value)
{
    fence();
    asm volatile("st.relaxed.gpu.global.s32 [%0], %1;" : : "l"(state), "r"(static_cast<int>(value)) : "memory");
}

__device__ __forceinline__ int wait_for_state(const int* state)
{
    int value;
    asm volatile(
        "{\n\t"
        ".reg .pred is_invalid;\n\t"
        "poll:\n\t"
        "ld.relaxed.gpu.global.s32 %0, [%1];\n\t"
        "setp.eq.s32 is_invalid, %0, 0;\n\t"
        "@is_invalid bra poll;\n\t"
        "}" : "=&r"(value) : "l"(state) : "memory");
    fence();
    return value;
}

__device__ int look_back(const Tiles& tiles, int tile)
{
    int sum = 0;
    for (int before = tile - 1; before >= 0; before--) {
        if (wait_for_state(&tiles.state[before]) == has_prefix) return sum + tiles.prefix[before];
        sum += tiles.aggregate[before];
    }
    return sum;
}

__global__ void scan(const int* in, int* out, Tiles tiles)
{
    __shared__ int before;
    const int t = threadIdx.x, tile = blockIdx.x;
    int sum = in[tile * threads + t];
    for (int distance = 1; distance < 32; distance *= 2) {
        int other;
        asm volatile(
            "{ .reg .pred p;\n\t"
            "shfl.sync.up.b32 %0|p, %1, %2, 0, -1;\n\t"
            "@!p mov.b32 %0, 0; }" : "=&r"(other) : "r"(sum), "r"(distance));
        sum += other;
    }
    if (t == 31) {
        tiles.aggregate[tile] = sum;
        publish(&tiles.state[tile], has_aggregate);
        before = look_back(tiles, tile);
        tiles.prefix[tile] = before + sum;
        publish(&tiles.state[tile], has_prefix);
    }
    __syncwarp();
    out[tile * threads + t] = before + sum;
}

int main()
{
    constexpr int n = blocks * threads;
    int *in, *out;
    Tiles tiles;
    cudaMallocManaged(&in, n * sizeof *in);
    cudaMallocManaged(&out, n * sizeof *out);
    cudaMalloc(&tiles.state, blocks * sizeof(int));
    cudaMalloc(&tiles.aggregate, blocks * sizeof(int));
    cudaMalloc(&tiles.prefix, blocks * sizeof(int));
    cudaMemset(tiles.state, 0, blocks * sizeof(int));
    for (int i = 0; i < n; i++) in[i] = i % 7;
    scan<<<blocks, threads>>>(in, out, tiles);
    cudaDeviceSynchronize();
    for (int i = 0, sum = 0; i < n; i++) {
        sum += in[i];
        if (out[i] != sum) return printf("%d: %d instead of %d\n", i, out[i], sum), 1;
    }
    return 0;
}
