// verdict: race
// race: lines 32 and 32, variable account, global
// repaired: clean
// Peterson's algorithm for two blocks, with volatile words.
// Volatile accesses are relaxed. They do not race, but they order nothing: entering is no acquire pattern
// and leaving no release pattern.
// Repaired: fence.sc (__threadfence()) after the entry protocol's stores, which excludes that both read
// old values, after entering, and before leaving.
#include <cstdio>
#include <cuda_runtime.h>

__device__ volatile int wants[2], turn;
__device__ int account;

__device__ void fence()
{
#ifdef REPAIRED
    __threadfence();
#endif
}

__global__ void both()
{
    const int me = blockIdx.x, other = 1 - me;
    for (int i = 0; i < 3; i++) {
        wants[me] = 1;
        turn = other;
        fence();
        while (wants[other] == 1 && turn == other) {
        }
        fence();
        account += 1;
        fence();
        wants[me] = 0;
    }
}

int main()
{
    both<<<2, 1>>>();
    int result = 0;
    cudaMemcpyFromSymbol(&result, account, sizeof result);
    if (result != 6) return 1;
    printf("%d\n", result);
    return 0;
}
