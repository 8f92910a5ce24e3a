// verdict: race
// race: lines 19 and 19, variable column_sum, global
// repaired: clean
// Column sums of a matrix, one thread an element on a two-dimensional grid.
// The threads of a column add to its sum without atomics.
// Repaired: the sums are updated atomically.
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

__global__ void sum_columns(const int* matrix, int rows, int columns, int* column_sum)
{
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < columns && y < rows) {
#ifdef REPAIRED
        atomicAdd(&column_sum[x], matrix[y * columns + x]);
#else
        column_sum[x] += matrix[y * columns + x];
#endif
    }
}

int main()
{
    const int rows = 37, columns = 45, n = rows * columns;
    std::vector<int> matrix(n), sums(columns), expected(columns);
    for (int i = 0; i < n; i++) {
        matrix[i] = (i * 3) % 25;
        expected[i % columns] += matrix[i];
    }
    int *d_matrix, *d_sums;
    cudaMalloc(&d_matrix, n * sizeof(int));
    cudaMalloc(&d_sums, columns * sizeof(int));
    cudaMemcpy(d_matrix, matrix.data(), n * sizeof(int), cudaMemcpyHostToDevice);
    cudaMemset(d_sums, 0, columns * sizeof(int));
    const dim3 block(16, 8);
    const dim3 grid((columns + block.x - 1) / block.x, (rows + block.y - 1) / block.y);
    sum_columns<<<grid, block>>>(d_matrix, rows, columns, d_sums);
    cudaMemcpy(sums.data(), d_sums, columns * sizeof(int), cudaMemcpyDeviceToHost);
    cudaFree(d_matrix);
    cudaFree(d_sums);
#ifdef REPAIRED
    if (sums != expected) {
        fprintf(stderr, "wrong sums\n");
        return 1;
    }
#endif
    printf("summed %d columns\n", columns);
    return 0;
}
