// verdict: race
// race: lines 20 and 19, variable stack, shared
// race: lines 38 and 38, variable kept, global
// race-also: lines 20 and 20, variable stack, shared
// race-also: lines 22 and 22, variable stack, shared
// race-also: lines 38 and 38, variable out, global
// repaired: clean
// Threads take the next free place of an array by reading a counter and writing its successor, so
// two threads may take the same place.
#include <cuda_runtime.h>

struct Stack { int items[64]; int size; };

__device__ void push(Stack* stack, int item)
{
#ifdef REPAIRED
    const int at = atomicAdd(&stack->size, 1);
#else
    const int at = stack->size;
    stack->size = at + 1;
#endif
    stack->items[at] = item;
}

__global__ void keep_odd(const int* in, int* out, int* kept, int n)
{
    __shared__ Stack stack;
    const int t = threadIdx.x;
    if (t == 0) stack.size = 0;
    __syncthreads();
    if (t < n && in[t] % 2 == 1) push(&stack, in[t]);
    __syncthreads();
    if (t < stack.size) {
        const int item = stack.items[t];
#ifdef REPAIRED
        if (item % 3 != 0) out[atomicAdd(kept, 1)] = item;
#else
        if (item % 3 != 0) out[(*kept)++] = item;
#endif
    }
}

int main()
{
    int *in, *out, *kept;
    cudaMallocManaged(&in, 64 * sizeof(int));
    cudaMallocManaged(&out, 64 * sizeof(int));
    cudaMallocManaged(&kept, sizeof(int));
    for (int i = 0; i < 64; i++) in[i] = i;
    *kept = 0;
    keep_odd<<<1, 64>>>(in, out, kept, 64);
    cudaDeviceSynchronize();
#ifdef REPAIRED
    if (*kept != 21) return 1;
#endif
    return 0;
}
