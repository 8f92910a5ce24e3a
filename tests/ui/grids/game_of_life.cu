// verdict: race
// race: lines 27 and 38, variable cells, global
// repaired: clean
// Conway's game of life on a torus, one byte a cell.
// One array holds both the old and the new generation.
// Repaired: two arrays take turns as the old and the new generation.
#include <cstdio>
#include <utility>
#include <vector>
#include <cuda_runtime.h>

constexpr int size = 48;

#ifdef REPAIRED
__global__ void generation(const unsigned char* cells, unsigned char* next)
#else
__global__ void generation(unsigned char* cells)
#endif
{
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    int neighbours = 0;
    bool alive = false;
    for (int dy = -1; dy <= 1; dy++) {
        for (int dx = -1; dx <= 1; dx++) {
            const int row = (y + dy + size) % size, column = (x + dx + size) % size;
            const unsigned char cell = cells[row * size + column];
            if (dx == 0 && dy == 0) {
                alive = cell;
            } else {
                neighbours += cell;
            }
        }
    }
#ifdef REPAIRED
    next[y * size + x] = neighbours == 3 || (alive && neighbours == 2);
#else
    cells[y * size + x] = neighbours == 3 || (alive && neighbours == 2);
#endif
}

int main()
{
    const int n = size * size, generations = 8;
    // A glider, which after four generations has moved one cell down and one to the right.
    std::vector<unsigned char> cells(n, 0), result(n);
    const int glider[5][2] = {{0, 1}, {1, 2}, {2, 0}, {2, 1}, {2, 2}};
    for (const auto& cell : glider) {
        cells[(cell[0] + 10) * size + cell[1] + 10] = 1;
    }
    unsigned char* d_cells;
    cudaMalloc(&d_cells, n);
    cudaMemcpy(d_cells, cells.data(), n, cudaMemcpyHostToDevice);
#ifdef REPAIRED
    unsigned char* d_next;
    cudaMalloc(&d_next, n);
#endif
    const dim3 block(16, 8);
    const dim3 grid(size / 16, size / 8);
    for (int g = 0; g < generations; g++) {
#ifdef REPAIRED
        generation<<<grid, block>>>(d_cells, d_next);
        std::swap(d_cells, d_next);
#else
        generation<<<grid, block>>>(d_cells);
#endif
    }
    cudaMemcpy(result.data(), d_cells, n, cudaMemcpyDeviceToHost);
    cudaFree(d_cells);
#ifdef REPAIRED
    cudaFree(d_next);
    const int moved = generations / 4;
    for (int i = 0; i + moved * (size + 1) < n; i++) {
        if (result[i + moved * (size + 1)] != cells[i]) {
            fprintf(stderr, "the glider crashed\n");
            return 1;
        }
    }
#endif
    printf("%d generations\n", generations);
    return 0;
}
