// verdict: race
// race: lines 48 and 48, variable c, global
// repaired: clean
// nvcc: -arch=sm_80
// Blocks of a split sum add to the same tile, one after the other: a semaphore tells whose turn it is. Its
// thread 0 loads the lock and stores the next turn for the block. Before the store, the block does not meet:
// other warps may still add.
// Repaired: `__syncthreads()` comes before the store.
#include <cstdio>
#include <cuda_runtime.h>

class Semaphore {
public:
    __device__ Semaphore(int* lock, int thread) : lock_(lock), wait_thread_(thread == 0), state_(-1) {}

    __device__ void fetch()
    {
        if (wait_thread_) asm volatile("ld.global.acquire.gpu.b32 %0, [%1];\n" : "=r"(state_) : "l"(lock_));
    }
    __device__ void wait(int status)
    {
        while (__syncthreads_and(state_ != status)) fetch();
        __syncthreads();
    }
    __device__ void release(int status)
    {
#ifdef REPAIRED
        __syncthreads();
#endif
        if (wait_thread_) asm volatile("st.global.release.gpu.b32 [%0], %1;\n" : : "l"(lock_), "r"(status));
    }

private:
    int* lock_;
    bool wait_thread_;
    int state_;
};

constexpr int slices = 3, n = 64;

__global__ void add_slices(const int* a, const int* b, int* c, int* lock)
{
    const int slice = blockIdx.x, t = threadIdx.x;
    const int product = a[slice * n + t] * b[slice * n + n - 1 - t];
    Semaphore semaphore(lock, t);
    semaphore.fetch();
    semaphore.wait(slice);
    c[t] = slice == 0 ? product : c[t] + product;
    semaphore.release(slice + 1 == slices ? 0 : slice + 1);
}

int main()
{
    int *a, *b, *c, *lock;
    cudaMallocManaged(&a, slices * n * sizeof *a);
    cudaMallocManaged(&b, slices * n * sizeof *b);
    cudaMallocManaged(&c, n * sizeof *c);
    cudaMalloc(&lock, sizeof *lock);
    cudaMemset(lock, 0, sizeof *lock);
    for (int i = 0; i < slices * n; i++) a[i] = i % 9 - 4, b[i] = i % 7;
    add_slices<<<slices, n>>>(a, b, c, lock);
    cudaDeviceSynchronize();
#ifdef REPAIRED
    for (int t = 0; t < n; t++) {
        int sum = 0;
        for (int slice = 0; slice < slices; slice++) sum += a[slice * n + t] * b[slice * n + n - 1 - t];
        if (c[t] != sum) return printf("%d: %d instead of %d\n", t, c[t], sum), 1;
    }
#endif
    return 0;
}
