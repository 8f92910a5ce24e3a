// verdict: race
// race: lines 20 and 37, variable s_cells, shared
// repaired: clean
// Objects are assigned by their own operator, which copies the mark as well,
// while the neighbouring thread sets it.
// Repaired: the operator copies only the value, and the neighbouring thread may set the mark
// meanwhile.
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

struct Cell {
    float value;
    int mark;

    __device__ Cell& operator=(const Cell& other)
    {
        value = other.value + 1.0f;
#ifndef REPAIRED
        mark = other.mark;
#endif
        return *this;
    }
    __device__ Cell& operator=(float number)
    {
        value = number;
        return *this;
    }
};

__global__ void take_over(Cell* cells, float* out, int n)
{
    const int t = threadIdx.x;
    __shared__ Cell s_cells[256];
    s_cells[t] = cells[t];
    s_cells[t] = 2.0f;
    s_cells[(t + 1) % n].mark = t;
    out[t] = s_cells[t].value;
}

int main()
{
    const int n = 256;
    Cell *d_cells;
    float *d_out;
    cudaMalloc(&d_cells, 8 * (n + 1) * sizeof(Cell));
    cudaMalloc(&d_out, n * sizeof(float));
    cudaMemset(d_cells, 0, 8 * (n + 1) * sizeof(Cell));
    take_over<<<1, n>>>(d_cells, d_out, n);
    std::vector<float> out(n);
    cudaMemcpy(out.data(), d_out, n * sizeof(float), cudaMemcpyDeviceToHost);
    printf("first value: %.0f\n", out[0]);
    cudaFree(d_cells);
    cudaFree(d_out);
    return 0;
}
