// verdict: race
// race: lines 24 and 33, variable cells, global
// repaired: clean
// Objects go by reference through a pointer to a function and through a wrapper that
// forwards them; the last function reads the mark, which the neighbouring thread sets.
// Repaired: the functions read the value, and the neighbouring thread may set the mark
// meanwhile.
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>
#include <utility>

struct Cell {
    float value;
    int mark;
};

typedef float (*Measure)(const Cell&);

__device__ float size(const Cell& cell) { return cell.value; }
#ifdef REPAIRED
__device__ float weight(const Cell& cell) { return cell.value; }
#else
__device__ float weight(const Cell& cell) { return cell.mark; }
#endif

template <typename F, typename... Args>
__device__ float call(F f, Args&&... args) { return f(std::forward<Args>(args)...); }

__global__ void apply(Cell* cells, float* out, int n)
{
    const int t = threadIdx.x;
    cells[t + 1].mark = t;
    Measure measure = t % 2 ? size : weight;
    float (*direct)(const Cell&) = measure;
    out[t] = measure(cells[t]) + direct(cells[t]) + (*direct)(cells[t]) + call(size, cells[t]) + call(weight, cells[t]);
}

int main()
{
    const int n = 256;
    Cell *d_cells;
    float *d_out;
    cudaMalloc(&d_cells, 8 * (n + 1) * sizeof(Cell));
    cudaMalloc(&d_out, n * sizeof(float));
    cudaMemset(d_cells, 0, 8 * (n + 1) * sizeof(Cell));
    apply<<<1, n>>>(d_cells, d_out, n);
    std::vector<float> out(n);
    cudaMemcpy(out.data(), d_out, n * sizeof(float), cudaMemcpyDeviceToHost);
    printf("first value: %.0f\n", out[0]);
    cudaFree(d_cells);
    cudaFree(d_out);
    return 0;
}
