// verdict: race
// race: lines 36 and 36, variable marks, global
// repaired: clean
// Memory from malloc() and new in kernels, used by all threads of a block and by a later
// kernel. Two threads share each mark.
// Repaired: each thread has a mark of its own.
#include <cstdio>
#include <cuda_runtime.h>

struct Counter {
    int* hits;
    __device__ explicit Counter(int n) : hits(new int[n]) {}
    __device__ ~Counter() { delete[] hits; }
};

struct Table {
    int* marks;
    Counter* counter;
};

__global__ void build(Table* table, int n)
{
    if (threadIdx.x == 0) {
        table->marks = static_cast<int*>(malloc(n * sizeof(int)));
        table->counter = new Counter(n);
    }
}

__global__ void fill(Table* table, int n)
{
    int* marks = table->marks;
    table->counter->hits[threadIdx.x] = n;
#ifdef REPAIRED
    marks[threadIdx.x] = threadIdx.x;
#else
    marks[threadIdx.x / 2] = threadIdx.x;
#endif
}

__global__ void drop(Table* table, int* out, int n)
{
    out[threadIdx.x] = table->marks[threadIdx.x] + table->counter->hits[threadIdx.x];
    __syncthreads();
    if (threadIdx.x == 0) {
        free(table->marks);
        delete table->counter;
    }
}

int main()
{
    const int n = 64;
    Table* table;
    int* out;
    cudaMalloc(&table, sizeof(Table));
    cudaMalloc(&out, n * sizeof(int));
    build<<<1, 32>>>(table, n);
    fill<<<1, n>>>(table, n);
    drop<<<1, n / 2>>>(table, out, n);
    int first = 0;
    cudaMemcpy(&first, out, sizeof(int), cudaMemcpyDeviceToHost);
    printf("first: %d\n", first >= n);
    cudaFree(table);
    cudaFree(out);
    return 0;
}
