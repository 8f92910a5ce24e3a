// verdict: clean
// predict: 8
// Flags of three kinds hand data over: a volatile one that a loop polls, one that is read once and decides
// what its reader does, and one that goes up and comes down again.
#include <cstdio>
#include <cuda_runtime.h>

__device__ volatile int ready = 0;
__device__ int early = 0, pulse = 0;
__device__ int first = 0, second = 0, third = 0, seen = 0;

__global__ void relay()
{
    if (threadIdx.x != 0) return;
    if (blockIdx.x == 0) {
        first = 1;
        __threadfence();
        ready = 1;
        second = 2;
        __threadfence();
        atomicExch(&early, 1);
        atomicExch(&pulse, 1);
        third = 4;
        __threadfence();
        atomicExch(&pulse, 0);
    }
    if (blockIdx.x == 1) {
        while (ready == 0) {
        }
        __threadfence();
        seen += first;
        if (atomicAdd(&early, 0) == 1) {
            __threadfence();
            seen += second;
        }
    }
    if (blockIdx.x == 2) {
        if (atomicAdd(&pulse, 0) == 1) {
            while (atomicAdd(&pulse, 0) != 0) {
            }
            __threadfence();
            if (third != 4) __trap();
        }
    }
}

int main()
{
    relay<<<3, 1>>>();
    int result = 0;
    cudaMemcpyFromSymbol(&result, seen, sizeof result);
    if (result != 1 && result != 3) return 1;
    printf("%d\n", result);
    return 0;
}
