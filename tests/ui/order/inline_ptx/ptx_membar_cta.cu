// verdict: race
// race: lines 16 and 30, variable row, global
// repaired: clean
// Inline PTX of older programs: membar around volatile accesses.
// membar.cta is fence.sc.cta: the reader's fence is not morally strong with the writer's membar.gl.
// Repaired: membar.gl (fence.sc.gpu) on both sides.
#include <cstdio>
#include <cuda_runtime.h>

constexpr int n = 32;

__global__ void send(int* row, volatile int* flag, int* out)
{
    const int t = threadIdx.x;
    if (blockIdx.x == 0) {
        row[t] = t + 100;
        __syncthreads();
        if (t == 0) {
            asm volatile("membar.gl;" ::: "memory");
            *flag = 1;
        }
    } else {
        while (*flag == 0) {
        }
#ifdef REPAIRED
        asm volatile("membar.gl;" ::: "memory");
#else
        asm volatile("membar.cta;" ::: "memory");
#endif
        out[t] = row[t];
    }
}

int main()
{
    int *row, *out, *flag, result[n];
    cudaMalloc(&row, sizeof result);
    cudaMalloc(&out, sizeof result);
    cudaMalloc(&flag, sizeof(int));
    cudaMemset(flag, 0, sizeof(int));
    send<<<2, n>>>(row, flag, out);
    cudaMemcpy(result, out, sizeof result, cudaMemcpyDeviceToHost);
    cudaFree(row);
    cudaFree(out);
    cudaFree(flag);
    for (int t = 0; t < n; t++) {
        if (result[t] != t + 100) return 1;
    }
    printf("sent\n");
    return 0;
}
