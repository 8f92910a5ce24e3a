// verdict: race
// race: lines 28 and 28, variable y, global
// repaired: clean
// Sparse matrix times vector.
// One thread a nonzero (coordinate format): nonzeros of a row add to its sum unordered.
// Repaired: one thread a row (CSR), and no other thread writes the row's sum.
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

#ifdef REPAIRED
__global__ void spmv_csr(const int* first, const int* column, const int* value, const int* x,
                         int* y, int rows)
{
    const int r = blockIdx.x * blockDim.x + threadIdx.x;
    if (r < rows) {
        int sum = 0;
        for (int k = first[r]; k < first[r + 1]; k++) {
            sum += value[k] * x[column[k]];
        }
        y[r] = sum;
#else
__global__ void spmv_coo(const int* row, const int* column, const int* value, const int* x, int* y,
                         int nonzeros)
{
    const int k = blockIdx.x * blockDim.x + threadIdx.x;
    if (k < nonzeros) {
        y[row[k]] += value[k] * x[column[k]];
#endif
    }
}

int main()
{
    const int rows = 200;
    std::vector<int> first(1, 0), row, column, value, x(rows), y(rows), expected(rows);
    for (int r = 0; r < rows; r++) {
        x[r] = r % 8 - 3;
    }
    for (int r = 0; r < rows; r++) {
        for (int k = 0; k < 2 + r % 4; k++) {
            row.push_back(r);
            column.push_back((r * 3 + k * 41) % rows);
            value.push_back(1 + (r + k) % 5);
            expected[r] += value.back() * x[column.back()];
        }
        first.push_back(static_cast<int>(value.size()));
    }
    const int nonzeros = first.back();
#ifdef REPAIRED
    const std::vector<int>& index = first;
#else
    const std::vector<int>& index = row;
#endif
    int *d_index, *d_column, *d_value, *d_x, *d_y;
    cudaMalloc(&d_index, index.size() * sizeof(int));
    cudaMalloc(&d_column, nonzeros * sizeof(int));
    cudaMalloc(&d_value, nonzeros * sizeof(int));
    cudaMalloc(&d_x, rows * sizeof(int));
    cudaMalloc(&d_y, rows * sizeof(int));
    cudaMemcpy(d_index, index.data(), index.size() * sizeof(int), cudaMemcpyHostToDevice);
    cudaMemcpy(d_column, column.data(), nonzeros * sizeof(int), cudaMemcpyHostToDevice);
    cudaMemcpy(d_value, value.data(), nonzeros * sizeof(int), cudaMemcpyHostToDevice);
    cudaMemcpy(d_x, x.data(), rows * sizeof(int), cudaMemcpyHostToDevice);
    cudaMemset(d_y, 0, rows * sizeof(int));
#ifdef REPAIRED
    spmv_csr<<<(rows + 63) / 64, 64>>>(d_index, d_column, d_value, d_x, d_y, rows);
#else
    spmv_coo<<<(nonzeros + 63) / 64, 64>>>(d_index, d_column, d_value, d_x, d_y, nonzeros);
#endif
    cudaMemcpy(y.data(), d_y, rows * sizeof(int), cudaMemcpyDeviceToHost);
    for (int* pointer : {d_index, d_column, d_value, d_x, d_y}) {
        cudaFree(pointer);
    }
#ifdef REPAIRED
    if (y != expected) {
        fprintf(stderr, "wrong product\n");
        return 1;
    }
#endif
    printf("%d nonzeros\n", nonzeros);
    return 0;
}
