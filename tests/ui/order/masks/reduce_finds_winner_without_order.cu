// verdict: race
// race: lines 14 and 19, variable s_name, shared
// repaired: clean
// __reduce_max_sync() finds the best lane, and lane 0 fetches that lane's name. The warp reduce
// functions imply no memory barrier (CUDA guide, "Warp Reduce Functions"): the result is
// exchanged, but the store of the name is not ordered before its load.
// Repaired: a __syncwarp() after the reduction.
#include <cuda_runtime.h>

__global__ void winner(const unsigned* score, int* out)
{
    __shared__ int s_name[32];
    const unsigned lane = threadIdx.x;
    s_name[lane] = 500 + lane;
    const unsigned best = __reduce_max_sync(0xffffffffu, score[lane] * 32 + lane);
#ifdef REPAIRED
    __syncwarp();
#endif
    if (lane == 0) *out = s_name[best % 32];
}

int main()
{
    unsigned* score;
    int* out;
    cudaMallocManaged(&score, 32 * sizeof(unsigned));
    cudaMallocManaged(&out, sizeof(int));
    for (int i = 0; i < 32; i++) score[i] = i == 17 ? 99 : i;
    winner<<<1, 32>>>(score, out);
    cudaDeviceSynchronize();
#ifdef REPAIRED
    if (*out != 517) return 1;
#endif
    return 0;
}
