// verdict: race
// race: lines 26 and 26, variable bucket, global
// repaired: clean
// A hash table counts keys in buckets. There are more locks than buckets.
// The lock is chosen by other bits than the bucket, so that two keys of one bucket may have two locks:
// release and acquire are then on different locations, and do not synchronise.
// Repaired: the bucket chooses the lock.
#include <cuda/atomic>
#include <cstdio>
#include <cuda_runtime.h>

constexpr int buckets = 4, locks = 8, keys = 16;

__global__ void insert(int* lock, int (*bucket)[2])
{
    const int key = blockIdx.x;
    const int b = key % buckets;
#ifdef REPAIRED
    int* const mine = &lock[b];
#else
    int* const mine = &lock[key % locks];
#endif
    while (atomicCAS(mine, 0, 1)) {
    }
    __threadfence();
    bucket[b][key & 1]++;
    __threadfence();
    atomicExch(mine, 0);
}

int main()
{
    int *lock, (*bucket)[2], result[buckets][2];
    cudaMalloc(&lock, locks * sizeof(int));
    cudaMalloc(&bucket, sizeof result);
    cudaMemset(lock, 0, locks * sizeof(int));
    cudaMemset(bucket, 0, sizeof result);
    insert<<<keys, 1>>>(lock, bucket);
    cudaMemcpy(result, bucket, sizeof result, cudaMemcpyDeviceToHost);
    cudaFree(lock);
    cudaFree(bucket);
#ifdef REPAIRED
    for (int b = 0; b < buckets; b++) {
        if (result[b][b & 1] != keys / buckets) return 1;
    }
#endif
    printf("%d keys in bucket 0\n", result[0][0]);
    return 0;
}
