// verdict: race
// race-any: lines 17 and 26, variable from, shared
// repaired: clean
// Pairs of values in shared memory, set by a constructor whose initialisers depend on a
// macro that is defined by the build. Nothing orders the stores before the reads.
// Repaired: a barrier orders the stores before the reads.
#include <cstdio>
#include <cuda_runtime.h>

struct Pair {
    int first, second;

    __device__ Pair(const int* from)
#ifdef SWAPPED
        : second(from[0]), first(from[1])
#else
        : first(from[0]), second(from[1])
#endif
    {
    }
};

__global__ void sum(const int* in, int* out)
{
    __shared__ int values[129];
    values[threadIdx.x] = in[threadIdx.x];
#ifdef REPAIRED
    __syncthreads();
#endif
    Pair pair(values + (threadIdx.x % 127));
    out[threadIdx.x] = pair.first + pair.second;
}

int main()
{
    const int n = 128;
    int *in, *out;
    cudaMalloc(&in, n * sizeof(int));
    cudaMalloc(&out, n * sizeof(int));
    cudaMemset(in, 0, n * sizeof(int));
    sum<<<1, n>>>(in, out);
    int first = 0;
    cudaMemcpy(&first, out, sizeof(int), cudaMemcpyDeviceToHost);
    printf("%d\n", first);
    cudaFree(in);
    cudaFree(out);
}
