// verdict: race
// race: lines 29 and 38, variable cells, global
// race: lines 32 and 38, variable cells, global
// race: lines 38 and 44, variable row, global
// race: lines 38 and 45, variable row, global
// race: lines 38 and 47, variable row, global
// race: lines 38 and 48, variable row, global
// race: lines 38 and 49, variable row, global
// race: lines 38 and 52, variable row, global
// repaired: clean
// Objects without operators of their own are copied whole, mark included, while the
// neighbouring thread sets the mark.
// Repaired: the copies come after a barrier.
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

struct Cell {
    float value;
    int mark;
};

struct Pair {
    Cell first;
    int second;
};

__device__ float by_value(Cell cell) { return cell.value; }
__device__ Cell load(const Cell* cells, int i) { return cells[i]; }

template <typename T>
__device__ T pick(const T* from, int i) { return from[i]; }

__global__ void copies(Cell* cells, float* out, int n)
{
    const int t = threadIdx.x;
    for (int i = 0; i < 8; i++) {
        cells[i * (n + 1) + t + 1].mark = t;
    }
#ifdef REPAIRED
    __syncthreads();
#endif
    Cell* row = cells + t;
    const Cell one = *row;
    auto two = row[n + 1];
    Cell three;
    three = row[2 * (n + 1)];
    const Pair four = {row[3 * (n + 1)], 1};
    const float five = by_value(row[4 * (n + 1)]);
    const Cell six = load(row, 5 * (n + 1));
    const Cell seven = pick(row, 6 * (n + 1));
    const auto eight = [=] { return row[7 * (n + 1)]; }();
    out[t] = one.value + two.value + three.value + four.first.value + five + six.value + seven.value + eight.value;
}

int main()
{
    const int n = 256;
    Cell *d_cells;
    float *d_out;
    cudaMalloc(&d_cells, 8 * (n + 1) * sizeof(Cell));
    cudaMalloc(&d_out, n * sizeof(float));
    cudaMemset(d_cells, 0, 8 * (n + 1) * sizeof(Cell));
    copies<<<1, n>>>(d_cells, d_out, n);
    std::vector<float> out(n);
    cudaMemcpy(out.data(), d_out, n * sizeof(float), cudaMemcpyDeviceToHost);
    printf("first value: %.0f\n", out[0]);
    cudaFree(d_cells);
    cudaFree(d_out);
    return 0;
}
