// verdict: race
// race: lines 19 and 35, variable cells, global
// repaired: clean
// Objects are turned into numbers by a conversion that takes the mark into account,
// which the neighbouring thread sets.
// Repaired: the conversion reads only the value, and the neighbouring thread may set the mark
// meanwhile.
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

struct Cell {
    float value;
    int mark;

#ifdef REPAIRED
    __device__ operator float() const { return value; }
#else
    __device__ operator float() const { return value + mark; }
#endif
};

struct Wide {
    double value;
    __device__ Wide(const Cell& cell) : value(cell.value) {}
};

__device__ float load(const Cell* cells, int i) { return cells[i]; }
__device__ const Cell& at(const Cell* cells, int i) { return cells[i]; }
__device__ Wide widen(const Cell* cells, int i) { return cells[i]; }

__global__ void convert(Cell* cells, float* out, int n)
{
    const int t = threadIdx.x;
    cells[t + 1].mark = t;
    float x = cells[t];
    x = cells[t];
    x += cells[t] + load(cells, t) + at(cells, t);
    Wide w = cells[t];
    w = cells[t];
    if (cells[t]) {
        x += static_cast<float>(cells[t]) + (float)cells[t] + float(cells[t]);
    }
    out[t] = x + widen(cells, t).value + w.value;
}

int main()
{
    const int n = 256;
    Cell *d_cells;
    float *d_out;
    cudaMalloc(&d_cells, 8 * (n + 1) * sizeof(Cell));
    cudaMalloc(&d_out, n * sizeof(float));
    cudaMemset(d_cells, 0, 8 * (n + 1) * sizeof(Cell));
    convert<<<1, n>>>(d_cells, d_out, n);
    std::vector<float> out(n);
    cudaMemcpy(out.data(), d_out, n * sizeof(float), cudaMemcpyDeviceToHost);
    printf("first value: %.0f\n", out[0]);
    cudaFree(d_cells);
    cudaFree(d_out);
    return 0;
}
