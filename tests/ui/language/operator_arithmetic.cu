// verdict: race
// race: lines 19 and 34, variable cells, global
// repaired: clean
// Operators for objects of a class: the comparison reads the mark, which the
// neighbouring thread sets.
// Repaired: the operators use the value only, and the neighbouring thread may set the mark
// meanwhile.
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

struct Cell {
    float value;
    int mark;

#ifdef REPAIRED
    __device__ bool operator<(const Cell& other) const { return value < other.value; }
#else
    __device__ bool operator<(const Cell& other) const { return value < other.value || mark < other.mark; }
#endif
    __device__ float operator-() const { return -value; }
    __device__ Cell& operator+=(const Cell& other)
    {
        value += other.value;
        return *this;
    }
};

__device__ float operator*(const Cell& a, float b) { return a.value * b; }

__global__ void combine(Cell* cells, float* out, int n)
{
    const int t = threadIdx.x;
    cells[t + 1].mark = t;
    cells[t] += cells[t];
    float x = cells[t] * 2.0f - (-cells[t]);
    if (cells[t] < cells[t]) {
        x = 0.0f;
    }
    out[t] = x;
}

int main()
{
    const int n = 256;
    Cell *d_cells;
    float *d_out;
    cudaMalloc(&d_cells, 8 * (n + 1) * sizeof(Cell));
    cudaMalloc(&d_out, n * sizeof(float));
    cudaMemset(d_cells, 0, 8 * (n + 1) * sizeof(Cell));
    combine<<<1, n>>>(d_cells, d_out, n);
    std::vector<float> out(n);
    cudaMemcpy(out.data(), d_out, n * sizeof(float), cudaMemcpyDeviceToHost);
    printf("first value: %.0f\n", out[0]);
    cudaFree(d_cells);
    cudaFree(d_out);
    return 0;
}
