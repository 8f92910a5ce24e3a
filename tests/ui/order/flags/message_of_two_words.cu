// verdict: race
// race: lines 15 and 29, variable message, global
// race: lines 16 and 29, variable message, global
// repaired: clean
// One block writes the halves of a message and sets a flag; another polls the flag and reads the message as
// one int2. No fence comes before the flag, so the read races with the write of either half.
// Repaired: a fence before the flag is set releases both halves, and one after it is seen acquires them.
#include <cstdio>
#include <cuda_runtime.h>

__global__ void send(int2* message, int* flag, int2* out)
{
    if (threadIdx.x != 0) return;
    if (blockIdx.x == 0) {
        message->x = 17;
        message->y = 39;
#ifdef REPAIRED
        __threadfence();
#endif
        atomicExch(flag, 1);
    } else {
        while (atomicAdd(flag, 0) == 0) {
        }
#ifdef REPAIRED
        __threadfence();
#else
        __threadfence_block();
#endif
        *out = *message;
    }
}

int main()
{
    int2 *d_message, *d_out, out;
    int* d_flag;
    cudaMalloc(&d_message, sizeof(int2));
    cudaMalloc(&d_out, sizeof(int2));
    cudaMalloc(&d_flag, sizeof(int));
    cudaMemset(d_message, 0, sizeof(int2));
    cudaMemset(d_flag, 0, sizeof(int));
    send<<<2, 32>>>(d_message, d_flag, d_out);
    cudaMemcpy(&out, d_out, sizeof(int2), cudaMemcpyDeviceToHost);
    cudaFree(d_message);
    cudaFree(d_out);
    cudaFree(d_flag);
#ifdef REPAIRED
    return out.x == 17 && out.y == 39 ? 0 : 1;
#else
    printf("%d %d\n", out.x, out.y);
    return 0;
#endif
}
