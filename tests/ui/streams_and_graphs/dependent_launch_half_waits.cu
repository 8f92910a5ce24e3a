// verdict: possible
// possible: lines 18 and 34, variable data, global
// repaired: clean
// A kernel that may begin early publishes a flag and reads what the kernel before it writes. Only its first warp
// waits for that kernel, and what the other warp does first synchronises with nobody.
// Repaired: the first warp passes on by another flag that it has waited.
// nvcc: -arch=sm_90
#include <cstdio>
#include <cuda/atomic>
#include <cuda_runtime.h>

using Flag = cuda::atomic_ref<int, cuda::thread_scope_device>;

__global__ void produce(int* data)
{
    cudaTriggerProgrammaticLaunchCompletion();
    for (int i = 0; i < 4; i++) {
        data[threadIdx.x + i * blockDim.x] = threadIdx.x + i;
    }
}

__global__ void consume(const int* data, int* flags, int* out)
{
    Flag(flags[2 + threadIdx.x / 32]).store(1, cuda::memory_order_release);
    if (threadIdx.x < 32) {
        cudaGridDependencySynchronize();
        Flag(flags[0]).fetch_add(1, cuda::memory_order_release);
    }
#ifdef REPAIRED
    else {
        while (Flag(flags[0]).load(cuda::memory_order_acquire) < 32) {}
    }
#endif
    out[threadIdx.x] = data[threadIdx.x];
}

int main()
{
    const int n = 64;
    int *data, *flags, *out, result[n];
    cudaMalloc(&data, 4 * n * sizeof(int));
    cudaMalloc(&flags, 4 * sizeof(int));
    cudaMalloc(&out, n * sizeof(int));
    cudaMemset(flags, 0, 4 * sizeof(int));
    cudaStream_t stream;
    cudaStreamCreate(&stream);
    cudaDeviceSynchronize();
    produce<<<1, n, 0, stream>>>(data);
    cudaLaunchAttribute attribute;
    attribute.id = cudaLaunchAttributeProgrammaticStreamSerialization;
    attribute.val.programmaticStreamSerializationAllowed = 1;
    cudaLaunchConfig_t config = {};
    config.gridDim = dim3(1);
    config.blockDim = dim3(n);
    config.stream = stream;
    config.attrs = &attribute;
    config.numAttrs = 1;
    cudaLaunchKernelEx(&config, consume, (const int*)data, flags, out);
    cudaDeviceSynchronize();
    cudaMemcpy(result, out, sizeof result, cudaMemcpyDeviceToHost);
    printf("%d\n", result[40]);
    return result[40] == 40 ? 0 : 1;
}
