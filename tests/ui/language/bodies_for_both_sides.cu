// verdict: race
// race: lines 19 and 19, variable number, global
// repaired: clean
// A function for host and device with a body for each, chosen by __CUDA_ARCH__: the kernel counts in device
// memory, and the host copies the number from there.
// Repaired: the update is atomic.
#include <cstdio>

struct Counter {
    int* number;

    __host__ __device__ int count()
    {
        int read = 0;
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 600
#ifdef REPAIRED
        read = atomicAdd(number, 1);
#else
        read = (*number)++;
#endif
#else
        cudaMemcpy(&read, number, sizeof read, cudaMemcpyDeviceToHost);
        ++read;
        cudaMemcpy(number, &read, sizeof read, cudaMemcpyHostToDevice);
#endif
        return read;
    }

    __host__ __device__ bool is_on_host() const
    {
#ifndef __CUDA_ARCH__
        return true;
#else
        return false;
#endif
    }
};

__global__ void count_threads(Counter counter, int* wrong)
{
    counter.count();
    if (counter.is_on_host()) atomicAdd(wrong, 1);
}

int main()
{
    Counter counter;
    int* wrong;
    cudaMalloc(&counter.number, sizeof(int));
    cudaMemset(counter.number, 0, sizeof(int));
    cudaMallocManaged(&wrong, sizeof(int));
    *wrong = 0;
    count_threads<<<1, 64>>>(counter, wrong);
    cudaDeviceSynchronize();
    const int last = counter.count();
    std::printf("%d %d\n", last, *wrong);
    return last == 65 && *wrong == 0 && counter.is_on_host() ? 0 : 1;
}
