// verdict: race
// race: lines 26 and 36, variable matrix, global
// repaired: clean
// Column norms of a matrix that is described by a struct in device memory.
// Threads write their norm and read one of the other half, unordered.
// Repaired: norms are written by one launch and read by the next.
#include <cstdio>
#include <cstdlib>
#include <vector>
#include <cuda_runtime.h>

struct Matrix {
    int rows, columns;
    const int* data;
    int* norm;
    int* folded;
};

__global__ void norms(const Matrix* matrix)
{
    const int c = blockIdx.x * blockDim.x + threadIdx.x;
    int sum = 0;
    for (int r = 0; r < matrix->rows; r++) {
        sum += abs(matrix->data[r * matrix->columns + c]);
    }
    matrix->norm[c] = sum;
#ifdef REPAIRED
}

__global__ void fold(const Matrix* matrix)
{
    const int c = blockIdx.x * blockDim.x + threadIdx.x;
    const int other = (c + matrix->columns / 2) % matrix->columns;
    matrix->folded[c] = matrix->norm[c] - matrix->norm[other];
#else
    matrix->folded[c] = sum - matrix->norm[(c + matrix->columns / 2) % matrix->columns];
#endif
}

int main()
{
    Matrix matrix;
    matrix.rows = 20;
    matrix.columns = 256;
    std::vector<int> data(matrix.rows * matrix.columns), folded(matrix.columns);
    std::vector<int> norm(matrix.columns);
    for (int i = 0; i < matrix.rows * matrix.columns; i++) {
        data[i] = (i * 7) % 19 - 9;
        norm[i % matrix.columns] += abs(data[i]);
    }
    int* d_data;
    Matrix* d_matrix;
    cudaMalloc(&d_data, data.size() * sizeof(int));
    cudaMalloc(&matrix.norm, matrix.columns * sizeof(int));
    cudaMalloc(&matrix.folded, matrix.columns * sizeof(int));
    cudaMalloc(&d_matrix, sizeof(Matrix));
    matrix.data = d_data;
    cudaMemcpy(d_data, data.data(), data.size() * sizeof(int), cudaMemcpyHostToDevice);
    cudaMemcpy(d_matrix, &matrix, sizeof(Matrix), cudaMemcpyHostToDevice);
    norms<<<matrix.columns / 64, 64>>>(d_matrix);
#ifdef REPAIRED
    fold<<<matrix.columns / 64, 64>>>(d_matrix);
#endif
    cudaMemcpy(folded.data(), matrix.folded, folded.size() * sizeof(int), cudaMemcpyDeviceToHost);
    cudaFree(d_data);
    cudaFree(matrix.norm);
    cudaFree(matrix.folded);
    cudaFree(d_matrix);
#ifdef REPAIRED
    for (int c = 0; c < matrix.columns; c++) {
        if (folded[c] != norm[c] - norm[(c + matrix.columns / 2) % matrix.columns]) {
            fprintf(stderr, "wrong column %d\n", c);
            return 1;
        }
    }
#endif
    printf("%d column norms\n", matrix.columns);
    return 0;
}
