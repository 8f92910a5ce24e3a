// verdict: race
// race: lines 30 and 30, variable sum, global
// repaired: clean
// A lock that frees its mutex when it is destroyed, passed to a kernel by value. CUDA copies its bytes; the copy that
// the host makes for the launch is destroyed when the kernel has ended, not by each thread.
// Repaired: the kernel takes the lock.
#include <cstdio>

struct Lock {
    int* mutex;

    Lock()
    {
        cudaMalloc(&mutex, sizeof(int));
        cudaMemset(mutex, 0, sizeof(int));
    }
    ~Lock() { cudaFree(mutex); }

    __device__ void acquire()
    {
        while (atomicCAS(mutex, 0, 1) != 0) {
        }
        __threadfence();
    }
    __device__ void release()
    {
        __threadfence();
        atomicExch(mutex, 0);
    }
    __device__ void add(int* sum, float value) { *sum += static_cast<int>(value); }
};

__global__ void accumulate(Lock lock, int* sum, float value)
{
    lock.acquire();
    lock.add(sum, value);
    lock.release();
#ifndef REPAIRED
    lock.add(sum, value);
#endif
}

int main()
{
    int* sum;
    cudaMalloc(&sum, sizeof(int));
    cudaMemset(sum, 0, sizeof(int));
    {
        Lock lock;
        accumulate<<<8, 1>>>(lock, sum, 2);
    }
    int result = 0;
    cudaMemcpy(&result, sum, sizeof result, cudaMemcpyDeviceToHost);
    std::printf("%d\n", result);
}
