// verdict: race
// race: lines 34 and 12, variable out, global
// repaired: clean
// Functions of the driver API work in streams, too: the result of a kernel is copied while it may still run.
// Repaired: the stream of the copy waits for an event that is recorded after the kernel.
#include <cstdio>
#include <cuda.h>
#include <cuda_runtime.h>

__global__ void square(const int* in, int* out)
{
    out[threadIdx.x] = in[threadIdx.x] * in[threadIdx.x];
}

int main()
{
    int *numbers, result = 0;
    CUdeviceptr in, out;
    CUstream kernels, copies;
    cuInit(0);
    cuMemAlloc(&in, 256 * sizeof(int));
    cuMemAlloc(&out, 256 * sizeof(int));
    cuMemsetD32(in, 3, 256);
    cuMemAllocHost(reinterpret_cast<void**>(&numbers), 256 * sizeof(int));
    cuStreamCreate(&kernels, CU_STREAM_DEFAULT);
    cuStreamCreate(&copies, CU_STREAM_NON_BLOCKING);
    square<<<1, 256, 0, kernels>>>(reinterpret_cast<int*>(in), reinterpret_cast<int*>(out));
#ifdef REPAIRED
    CUevent done;
    cuEventCreate(&done, CU_EVENT_DISABLE_TIMING);
    cuEventRecord(done, kernels);
    cuStreamWaitEvent(copies, done, 0);
#endif
    cuMemcpyDtoHAsync(numbers, out, 256 * sizeof(int), copies);
    cuStreamSynchronize(copies);
    for (int i = 0; i < 256; ++i) result += numbers[i];
    printf("%d\n", result);
    return result == 256 * 9 ? 0 : 1;
}
