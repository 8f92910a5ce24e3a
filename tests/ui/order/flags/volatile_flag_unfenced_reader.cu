// verdict: race
// race: lines 18 and 30, variable matrix, global
// repaired: clean
// Each thread of block 0 writes a row and raises the row's flag; a thread of block 1 waits for it.
// The writer has a release pattern (fence, strong store). The reader's volatile load is strong, but
// no fence follows it: no acquire pattern, so its reads of the row are not ordered.
// Repaired: strong load, then fence is an acquire pattern; both fences have device scope.
#include <cstdio>
#include <cuda_runtime.h>

constexpr int rows = 48, columns = 3;

__global__ void transfer(int (*matrix)[columns], volatile int* row_ready, int* row_sum)
{
    const int row = threadIdx.x;
    if (blockIdx.x == 0) {
        for (int c = 0; c < columns; c++) {
            matrix[row][c] = row + c;
        }
        __threadfence();
        row_ready[row] = 1;
    } else {
        while (!row_ready[row]) {
        }
#ifdef REPAIRED
        __threadfence();
#endif
        int sum = 0;
        for (int c = 0; c < columns; c++) {
            sum += matrix[row][c];
        }
        row_sum[row] = sum;
    }
}

int main()
{
    int (*matrix)[columns], *ready, *sums, result[rows];
    cudaMalloc(&matrix, rows * sizeof *matrix);
    cudaMalloc(&ready, rows * sizeof(int));
    cudaMalloc(&sums, rows * sizeof(int));
    cudaMemset(ready, 0, rows * sizeof(int));
    transfer<<<2, rows>>>(matrix, ready, sums);
    cudaMemcpy(result, sums, sizeof result, cudaMemcpyDeviceToHost);
    cudaFree(matrix);
    cudaFree(ready);
    cudaFree(sums);
    for (int r = 0; r < rows; r++) {
        if (result[r] != 3 * r + 3) return 1;
    }
    printf("last row: %d\n", result[rows - 1]);
    return 0;
}
