// verdict: race
// race: lines 28 and 40, variable cells, global
// repaired: clean
// An object keeps a reference to its storage, by an inherited constructor, and reads the
// mark there, which the neighbouring thread sets.
// Repaired: the object uses the value, and the neighbouring thread may set the mark meanwhile.
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

struct Cell {
    float value;
    int mark;
};

struct View {
    Cell& cell;
    __device__ explicit View(Cell& of) : cell(of) {}
};

struct Scaled : View {
    using View::View;
    __device__ Scaled(Cell& of, float by) : View(of), factor(by) {}
    float factor = 2.0f;
#ifdef REPAIRED
    __device__ float size() const { return factor * cell.value; }
#else
    __device__ float size() const { return factor * cell.mark; }
#endif
};

template <typename V>
struct Named : V {
    using V::V;
};

__global__ void measure(Cell* cells, float* out, int n)
{
    const int t = threadIdx.x;
    cells[t + 1].mark = t;
    Scaled first(cells[t]);
    Scaled second{cells[t]};
    Named<Scaled> third(cells[t], 3.0f);
    out[t] = first.size() + second.size() + third.size();
}

int main()
{
    const int n = 256;
    Cell *d_cells;
    float *d_out;
    cudaMalloc(&d_cells, 8 * (n + 1) * sizeof(Cell));
    cudaMalloc(&d_out, n * sizeof(float));
    cudaMemset(d_cells, 0, 8 * (n + 1) * sizeof(Cell));
    measure<<<1, n>>>(d_cells, d_out, n);
    std::vector<float> out(n);
    cudaMemcpy(out.data(), d_out, n * sizeof(float), cudaMemcpyDeviceToHost);
    printf("first value: %.0f\n", out[0]);
    cudaFree(d_cells);
    cudaFree(d_out);
    return 0;
}
