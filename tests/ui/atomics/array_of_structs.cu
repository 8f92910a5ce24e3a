// verdict: race
// race: lines 24 and 24, variable rows, global
// repaired: clean
// Sums ragged rows: an array of structs whose members point to the rows' values.
// All threads of a block add to their row's total with a plain +=.
// Repaired: the totals are updated atomically.
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
#ifdef REPAIRED
        atomicAdd(&rows[r].total, rows[r].values[k]);
#else
        rows[r].total += rows[r].values[k];
#endif
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
#ifdef REPAIRED
    for (int r = 0; r < count; r++) {
        int expected = 0;
        for (int k = 0; k < rows[r].length; k++) {
            expected += values[10 * r + k];
        }
        if (rows[r].total != expected) {
            fprintf(stderr, "row %d: %d instead of %d\n", r, rows[r].total, expected);
            return 1;
        }
    }
#endif
    printf("summed %d rows\n", count);
    return 0;
}
