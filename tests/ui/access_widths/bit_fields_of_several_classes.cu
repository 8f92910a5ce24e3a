// verdict: race
// race: lines 37 and 38, variable mine, global
// repaired: clean
// Three classes with bit-fields of the same names, used by one template. In two of them, the two
// bit-fields are side by side and so one memory location, to which two threads write. In the third one
// something separates them.
// Repaired: one thread writes both.
#include <cuda_runtime.h>

struct Cell {
    unsigned kind : 8;
    unsigned age : 8;
    int weight;
};

struct Edge {
    int weight;
    unsigned kind : 8;
    unsigned age : 8;
    unsigned cost : 16;
};

struct Apart {
    unsigned kind : 8;
    unsigned : 0;
    unsigned age : 8;
};

template <class T>
__global__ void mark(T* v)
{
    T& mine = v[threadIdx.x / 2];
#ifdef REPAIRED
    if (threadIdx.x % 2 == 0) mine.kind = 1, mine.age = 2;
#else
    if (threadIdx.x % 2 == 0)
        mine.kind = 1;
    else mine.age = 2;
#endif
}

template <class T>
void run()
{
    T* v;
    cudaMalloc(&v, 32 * sizeof(T));
    cudaMemset(v, 0, 32 * sizeof(T));
    mark<<<1, 64>>>(v);
    cudaDeviceSynchronize();
    cudaFree(v);
}

int main()
{
    run<Apart>();
    run<Cell>();
    run<Edge>();
}
