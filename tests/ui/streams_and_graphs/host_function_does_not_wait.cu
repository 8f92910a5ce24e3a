// verdict: possible
// possible: lines 13 and 19, variable data, global
// repaired: clean
// A host function runs after the first kernel, in the order of its stream. The host thread does not wait
// for it and launches the second kernel on another stream. Since the function could tell the host thread that
// the first kernel is done, which is not followed, the race is only a possible one.
// Repaired: the host waits for the first stream.
#include <cstdio>
#include <cuda_runtime.h>

__global__ void fill(int* data)
{
    data[threadIdx.x] = threadIdx.x;
}

__global__ void twice(const int* data, int* out)
{
    // Reads what the other kernel writes.
    out[threadIdx.x] = 2 * data[threadIdx.x];
}

void count(void* calls)
{
    ++*static_cast<int*>(calls);
}

int main()
{
    const int n = 64;
    int *data, *out, result[n], calls = 0;
    cudaStream_t first, second;
    cudaStreamCreate(&first);
    cudaStreamCreate(&second);
    cudaMalloc(&data, n * sizeof(int));
    cudaMalloc(&out, n * sizeof(int));
    fill<<<1, n, 0, first>>>(data);
    cudaLaunchHostFunc(first, count, &calls);
#ifdef REPAIRED
    cudaStreamSynchronize(first);
#endif
    twice<<<1, n, 0, second>>>(data, out);
    cudaDeviceSynchronize();
    cudaMemcpy(result, out, sizeof result, cudaMemcpyDeviceToHost);
    printf("%d %d\n", calls, result[7]);
    return calls == 1 && result[7] == 14 ? 0 : 1;
}
