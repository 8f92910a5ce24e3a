// verdict: race
// race: lines 24 and 24, variable total, global
// repaired: clean
// A semaphore of one permit guards a sum, and threads wait for the permit for some time only. They add to the sum
// whether they have got it or not.
// Repaired: they try until they have got it.
#include <cstdio>
#include <cuda/semaphore>
#include <cuda/std/chrono>
#include <cuda_runtime.h>

using Semaphore = cuda::binary_semaphore<cuda::thread_scope_device>;

__global__ void add(Semaphore* permit, int* total)
{
    const cuda::std::chrono::nanoseconds some_time(100);
#ifdef REPAIRED
    while (!permit->try_acquire_for(some_time)) {
    }
#else
    const bool acquired = blockIdx.x % 2 == 0 && permit->try_acquire_for(some_time);
    static_cast<void>(acquired);
#endif
    *total += 1;
#ifndef REPAIRED
    if (acquired)
#endif
    permit->release();
}

int main()
{
    const int blocks = 8;
    Semaphore* d_permit;
    int *d_total, total;
    cudaMalloc(&d_permit, sizeof(Semaphore));
    cudaMalloc(&d_total, sizeof(int));
    cudaMemset(d_total, 0, sizeof(int));
    Semaphore permit(1);
    cudaMemcpy(d_permit, &permit, sizeof permit, cudaMemcpyHostToDevice);
    add<<<blocks, 1>>>(d_permit, d_total);
    cudaMemcpy(&total, d_total, sizeof(int), cudaMemcpyDeviceToHost);
    cudaFree(d_permit);
    cudaFree(d_total);
#ifdef REPAIRED
    return total == blocks ? 0 : 1;
#else
    printf("%d\n", total);
    return 0;
#endif
}
