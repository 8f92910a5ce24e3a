// verdict: race
// race: lines 14 and 25, variable data, global
// repaired: clean
// Message passing between blocks with __threadfence_block() in the writer, __threadfence_system() in
// the reader.
// The two fences must include each other's thread. The writer's scope is its block: not morally strong.
// Repaired: __threadfence() in the writer. Device and system scope include each other's threads.
#include <cstdio>
#include <cuda_runtime.h>

__global__ void hand_over(short* data, volatile unsigned char* flag, int* out)
{
    if (blockIdx.x == 0) {
        data[threadIdx.x] = 11 * threadIdx.x;
#ifdef REPAIRED
        __threadfence();
#else
        __threadfence_block();
#endif
        flag[threadIdx.x] = 1;
    } else {
        while (flag[threadIdx.x] == 0) {
        }
        __threadfence_system();
        out[threadIdx.x] = data[threadIdx.x];
    }
}

int main()
{
    constexpr int n = 32;
    short* data;
    unsigned char* flag;
    int *out, result[n];
    cudaMalloc(&data, n * sizeof(short));
    cudaMalloc(&flag, n);
    cudaMalloc(&out, sizeof result);
    cudaMemset(flag, 0, n);
    hand_over<<<2, n>>>(data, flag, out);
    cudaMemcpy(result, out, sizeof result, cudaMemcpyDeviceToHost);
    cudaFree(data);
    cudaFree(flag);
    cudaFree(out);
    for (int i = 0; i < n; i++) {
        if (result[i] != 11 * i) return 1;
    }
    printf("handed over\n");
    return 0;
}
