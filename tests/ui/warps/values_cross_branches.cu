// verdict: race
// race: lines 14 and 21, variable s_half, shared
// repaired: clean
// The lower lanes of a warp store, in one branch, what the upper lanes read in the other.
// Since Volta the two branches run independently, in any order.
// Repaired: the upper lanes read behind the branch, after a __syncwarp().
#include <cstdio>
#include <cuda_runtime.h>

__global__ void pass_up(int* out)
{
    __shared__ int s_half[16];
    const int lane = threadIdx.x;
    if (lane < 16) s_half[lane] = 3 * lane;
#ifdef REPAIRED
    __syncwarp();
    if (lane >= 16)
#else
    else
#endif
        out[lane - 16] = s_half[lane - 16];
}

int main()
{
    int* out;
    int result[16];
    cudaMalloc(&out, sizeof result);
    pass_up<<<1, 32>>>(out);
    cudaMemcpy(result, out, sizeof result, cudaMemcpyDeviceToHost);
    cudaFree(out);
#ifdef REPAIRED
    for (int i = 0; i < 16; i++) {
        if (result[i] != 3 * i) return 1;
    }
#endif
    printf("%d\n", result[15]);
    return 0;
}
