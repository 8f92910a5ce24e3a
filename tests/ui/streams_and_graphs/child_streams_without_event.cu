// verdict: race
// race: lines 15 and 20, variable half, global
// repaired: clean
// nvcc: -rdc=true
// A kernel launches two kernels on two streams that it has created. The second one reads what the
// first one writes.
// Repaired: an event makes the second stream wait for the first one.
#include <cstdio>
#include <cuda_runtime.h>

constexpr int n = 64;

__global__ void halve(const int* in, int* half)
{
    half[threadIdx.x] = in[threadIdx.x] / 2;
}

__global__ void add(const int* half, int* total)
{
    atomicAdd(total, half[threadIdx.x]);
}

__global__ void both(const int* in, int* half, int* total)
{
    cudaStream_t first, second;
    cudaStreamCreateWithFlags(&first, cudaStreamNonBlocking);
    cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking);
    halve<<<1, n, 0, first>>>(in, half);
#ifdef REPAIRED
    cudaEvent_t event;
    cudaEventCreateWithFlags(&event, cudaEventDisableTiming);
    cudaEventRecord(event, first);
    cudaStreamWaitEvent(second, event);
    cudaEventDestroy(event);
#endif
    add<<<1, n, 0, second>>>(half, total);
    cudaStreamDestroy(first);
    cudaStreamDestroy(second);
}

int main()
{
    int *in, *half, *total;
    cudaMallocManaged(&in, n * sizeof(int));
    cudaMalloc(&half, n * sizeof(int));
    cudaMallocManaged(&total, sizeof(int));
    for (int i = 0; i < n; ++i) in[i] = 2 * i;
    *total = 0;
    both<<<1, 1>>>(in, half, total);
    cudaDeviceSynchronize();
    std::printf("%d\n", *total);
    return *total != n * (n - 1) / 2;
}
