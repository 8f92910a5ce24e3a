// verdict: race
// race: lines 17 and 29, variable message, global
// repaired: clean
// A cuda::atomic flag of device scope: the store is sequentially consistent by default.
// The store is a release, but the load is relaxed and no fence follows: no acquire pattern.
// Repaired: the load is sequentially consistent, too, which includes an acquire.
#include <cstdio>
#include <cuda/atomic>
#include <cuda_runtime.h>

constexpr int length = 16;
__device__ cuda::atomic<int, cuda::thread_scope_device> sent{0};

__global__ void talk(char* message, char* copy)
{
    if (blockIdx.x == 1) {
        for (int i = 0; i < length; i++) message[i] = 'a' + i;
        sent = 1;
    } else {
        int seen = 0;
        while (seen == 0) {
            __nanosleep(50);
#ifdef REPAIRED
            seen = sent;
#else
            seen = sent.load(cuda::memory_order_relaxed);
#endif
        }
        for (int i = 0; i < length; i++) copy[i] = message[i];
    }
}

int main()
{
    char *message, *copy, result[length];
    cudaMalloc(&message, length);
    cudaMalloc(&copy, length);
    talk<<<2, 1>>>(message, copy);
    cudaMemcpy(result, copy, length, cudaMemcpyDeviceToHost);
    cudaFree(message);
    cudaFree(copy);
    for (int i = 0; i < length; i++) {
        if (result[i] != 'a' + i) return 1;
    }
    printf("%.*s\n", length, result);
    return 0;
}
