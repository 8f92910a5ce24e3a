// verdict: race
// race: lines 18 and 18, variable to, global
// repaired: clean
// Adds by function objects that are constructed where they are called; a macro composes the
// names of their classes, one for each operation. Two counters take all additions.
// Repaired: each thread has its counter.
#include <cstdio>
#include <cuda_runtime.h>

#define OPERATION(NAME)                                          \
    template <typename T, int size>                              \
    struct NAME##Integer;                                        \
    template <typename T>                                        \
    struct NAME##Integer<T, 4> {                                 \
        __device__ void operator()(T* to, T value) { OP(to, value); } \
    };

#define OP(to, value) *to += value
OPERATION(Add)
#undef OP

__global__ void add(int* counts, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
#ifdef REPAIRED
        AddInteger<int, sizeof(int)>()(counts + i, i);
#else
        AddInteger<int, sizeof(int)>()(counts + (i % 2), i);
#endif
    }
}

int main()
{
    const int n = 256;
    int* counts;
    cudaMalloc(&counts, n * sizeof(int));
    cudaMemset(counts, 0, n * sizeof(int));
    add<<<2, 128>>>(counts, n);
    int first = 0;
    cudaMemcpy(&first, counts, sizeof(int), cudaMemcpyDeviceToHost);
    printf("%d\n", first);
    cudaFree(counts);
}
