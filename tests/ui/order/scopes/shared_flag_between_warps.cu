// verdict: race
// race: lines 17 and 28, variable s_message, shared
// repaired: clean
// A warp passes a message to another warp of its block, both in shared memory, with a volatile flag.
// Shared memory has the same model: without fences a volatile flag orders nothing.
// Repaired: __threadfence_block() on both sides; the scope of a block includes both warps.
#include <cstdio>
#include <cuda_runtime.h>

__global__ void whisper(int* out)
{
    __shared__ int s_message;
    __shared__ volatile int s_flag;
    if (threadIdx.x == 0) s_flag = 0;
    __syncthreads();
    if (threadIdx.x == 0) {
        s_message = 60 + blockIdx.x;
#ifdef REPAIRED
        __threadfence_block();
#endif
        s_flag = 1;
    } else if (threadIdx.x == 32) {
        while (s_flag == 0) {
        }
#ifdef REPAIRED
        __threadfence_block();
#endif
        out[blockIdx.x] = s_message;
    }
}

int main()
{
    int *out, result[2];
    cudaMalloc(&out, sizeof result);
    whisper<<<2, 64>>>(out);
    cudaMemcpy(result, out, sizeof result, cudaMemcpyDeviceToHost);
    cudaFree(out);
    if (result[0] != 60 || result[1] != 61) return 1;
    printf("heard\n");
    return 0;
}
