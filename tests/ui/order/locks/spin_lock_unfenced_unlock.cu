// verdict: race
// race: lines 20 and 20, variable balance, global
// repaired: clean
// Blocks deposit under a spin lock of atomicCAS() and atomicExch().
// The unlocking exchange is relaxed and no fence precedes it: no release pattern, so the acquire
// pattern of the next holder (atomicCAS(), fence) is not synchronised with the last deposit.
// Repaired: a fence before the exchange.
#include <cstdio>
#include <cuda_runtime.h>

__device__ int mutex;
__device__ long long balance;

__global__ void deposit(int amount)
{
    if (threadIdx.x != 0) return;
    while (atomicCAS(&mutex, 0, 1) != 0) {
    }
    __threadfence();
    balance += amount;
#ifdef REPAIRED
    __threadfence();
#endif
    atomicExch(&mutex, 0);
}

int main()
{
    deposit<<<6, 32>>>(25);
    long long result = 0;
    cudaMemcpyFromSymbol(&result, balance, sizeof result);
    if (result != 150) return 1;
    printf("balance %lld\n", result);
    return 0;
}
