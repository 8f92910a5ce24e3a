// verdict: race
// race: lines 23 and 19, variable s_wave, shared
// repaired: clean
// Relaxation in one warp, repeated until a vote finds no change. Votes imply no memory barrier
// (CUDA guide, "Warp Vote Functions"), so the stores of a round race with the neighbours' loads
// in the next round; the __syncwarp() in the middle separates only loads from later stores.
// Repaired: another __syncwarp() separates the stores from the loads of the next round.
#include <cuda_runtime.h>

__global__ void relax(int* out, int* rounds)
{
    __shared__ int s_wave[32];
    const int lane = threadIdx.x;
    s_wave[lane] = lane == 5 ? 0 : 100;
    int own = lane == 5 ? 0 : 100, round = 0;
    __syncwarp();
    bool changed = true;
    while (__any_sync(0xffffffffu, changed) && round < 40) {
        const int left = lane == 0 ? 100 : s_wave[lane - 1];
        __syncwarp();
        changed = left + 1 < own;
        own = changed ? left + 1 : own;
        s_wave[lane] = own;
#ifdef REPAIRED
        __syncwarp();
#endif
        round++;
    }
    out[lane] = own;
    if (lane == 0) *rounds = round;
}

int main()
{
    int *out, *rounds;
    cudaMallocManaged(&out, 32 * sizeof(int));
    cudaMallocManaged(&rounds, sizeof(int));
    relax<<<1, 32>>>(out, rounds);
    cudaDeviceSynchronize();
#ifdef REPAIRED
    for (int i = 0; i < 32; i++) {
        if (out[i] != (i < 5 ? 100 : i - 5)) return 1;
    }
    if (*rounds != 27) return 1;
#endif
    return 0;
}
