// verdict: race
// race: lines 27 and 27, variable sum, global
// repaired: clean
// Macros that open a namespace, a linkage or a body, and others that close them.
// Repaired: the update is atomic.
#include <cstdio>

#define NAMESPACE_BEGIN namespace outer { namespace inner {
#define NAMESPACE_END } }
#define C_BEGIN extern "C" {
#define C_END }
#define KERNEL_BEGIN { int i = blockIdx.x * blockDim.x + threadIdx.x;

C_BEGIN
__device__ int twice(int x) { return 2 * x; }
C_END

NAMESPACE_BEGIN

template <class T>
__global__ void add(T* sum, const T* values)
KERNEL_BEGIN
#ifdef REPAIRED
    atomicAdd(sum, twice(values[i]));
#else
    // The lanes of a warp add at the same time.
    *sum += twice(values[i]);
#endif
}

NAMESPACE_END

int main()
{
    int* sum;
    cudaMallocManaged(&sum, 33 * sizeof(int));
    for (int i = 0; i < 33; ++i) sum[i] = i;
    outer::inner::add<<<1, 32>>>(sum, sum + 1);
    cudaDeviceSynchronize();
    std::printf("%d\n", *sum);
}
