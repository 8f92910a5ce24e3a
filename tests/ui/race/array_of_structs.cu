// verdict: race
// race: lines 19 and 19, variable rows, global
// Sums ragged rows: an array of structs whose members point to the rows' values.
// All threads of a block add to their row's total with a plain +=.
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

struct Row {
    const int* values;
    int length;
    int total;
};

__global__ void sum_rows(Row* rows)
{
    const int r = blockIdx.x;
    for (int k = threadIdx.x; k < rows[r].length; k += blockDim.x) {
        rows[r].total += rows[r].values[k];
    }
}

int main()
{
    const int count = 5, longest = 200, threads = 64;
    std::vector<int> values(longest);
    for (int i = 0; i < longest; i++) {
        values[i] = i % 9;
    }
    int* d_values;
    cudaMalloc(&d_values, longest * sizeof(int));
    cudaMemcpy(d_values, values.data(), longest * sizeof(int), cudaMemcpyHostToDevice);
    std::vector<Row> rows(count);
    for (int r = 0; r < count; r++) {
        rows[r].values = d_values + 10 * r;
        rows[r].length = longest - 20 * r;
        rows[r].total = 0;
    }
    Row* d_rows;
    cudaMalloc(&d_rows, count * sizeof(Row));
    cudaMemcpy(d_rows, rows.data(), count * sizeof(Row), cudaMemcpyHostToDevice);
    sum_rows<<<count, threads>>>(d_rows);
    cudaMemcpy(rows.data(), d_rows, count * sizeof(Row), cudaMemcpyDeviceToHost);
    cudaFree(d_rows);
    cudaFree(d_values);
    printf("summed %d rows\n", count);
    return 0;
}
