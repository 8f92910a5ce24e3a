// verdict: race
// race: lines 18 and 27, variable row, global
// repaired: clean
// The last block waits by __nv_atomic_load_n, which acquires, for the one that stores a row. The flag is stored
// by a relaxed __nv_atomic_store_n, which releases nothing.
// Repaired: the store releases.
#include <cstdio>
#include <cuda_runtime.h>

__device__ int row[32], ready;
__device__ int copied[32];

__global__ void hand_over()
{
    const int t = threadIdx.x;
    if (blockIdx.x == 0) {
        if (t == 0) {
            for (int i = 0; i < 32; i++) row[i] = 3 * i;
#ifdef REPAIRED
            __nv_atomic_store_n(&ready, 1, __NV_ATOMIC_RELEASE, __NV_THREAD_SCOPE_DEVICE);
#else
            __nv_atomic_store_n(&ready, 1, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
#endif
        }
    } else {
        while (__nv_atomic_load_n(&ready, __NV_ATOMIC_ACQUIRE, __NV_THREAD_SCOPE_DEVICE) == 0) {}
        copied[t] = row[t];
    }
}

int main()
{
    hand_over<<<2, 32>>>();
    int result[32];
    cudaMemcpyFromSymbol(result, copied, sizeof result);
    for (int i = 0; i < 32; i++) {
        if (result[i] != 3 * i) return 1;
    }
    printf("copied\n");
    return 0;
}
