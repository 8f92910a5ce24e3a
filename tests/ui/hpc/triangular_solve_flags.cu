// verdict: race
// race: lines 24 and 30, variable x, global
// repaired: clean
// Sparse triangular solve without levels: one warp a row, which polls the flags of the rows that it
// needs. And a dense one: one block a tile of rows, which polls a counter.
// The flag of a row is set without a fence after the value.
// Repaired: a fence between the two.
#include "../common/device_data.h"

__global__ void solve_rows(const int* row, const int* col, const float* val, const float* b,
                           float* x, int* ready, int n)
{
    const int i = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    if (i >= n) {
        return;
    }
    const int diagonal = row[i + 1] - 1;
    float sum = 0;
    for (int k = row[i] + lane; k < diagonal; k += 32) {
        volatile int* flag = &ready[col[k]];
        while (*flag == 0) {
        }
        __threadfence();
        sum += val[k] * x[col[k]];
    }
    for (int offset = 16; offset > 0; offset /= 2) {
        sum += __shfl_down_sync(~0u, sum, offset);
    }
    if (lane == 0) {
        x[i] = (b[i] - sum) / val[diagonal];
#ifdef REPAIRED
        __threadfence();
#endif
        atomicExch(&ready[i], 1);
    }
}

constexpr int tile = 16;

// Blocks take tiles in the order in which they start, so that they only wait for running blocks.
__global__ void solve_tiles(const float* a, float* x, int n, int* next_tile, int* solved)
{
    __shared__ int mine;
    __shared__ float part[tile];
    const int t = threadIdx.x;
    if (t == 0) {
        mine = atomicAdd(next_tile, 1);
    }
    __syncthreads();
    const int row = mine * tile + t;
    float sum = x[row];
    for (int other = 0; other < mine; other++) {
        if (t == 0) {
            while (atomicAdd(solved, 0) <= other) {
            }
            __threadfence();
        }
        __syncthreads();
        for (int k = 0; k < tile; k++) {
            sum -= a[row * n + other * tile + k] * x[other * tile + k];
        }
    }
    for (int k = 0; k < tile; k++) {
        if (t == k) {
            part[k] = sum / a[row * n + row];
        }
        __syncthreads();
        if (t > k) {
            sum -= a[row * n + mine * tile + k] * part[k];
        }
    }
    x[row] = part[t];
    __threadfence();
    __syncthreads();
    if (t == 0) {
        atomicExch(solved, mine + 1);
    }
}

int sparse()
{
    const int n = 40;
    std::vector<int> row{0}, col;
    std::vector<float> val, expected(n);
    const std::vector<float> b = fractions(n, 4);
    const std::vector<int> choice = integers(n * n, 6);
    for (int i = 0; i < n; i++) {
        float sum = b[i];
        for (int j = 0; j < i; j++) {
            if (choice[i * n + j] == 0) {
                col.push_back(j);
                val.push_back(0.25f);
                sum -= 0.25f * expected[j];
            }
        }
        col.push_back(i);
        val.push_back(2);
        row.push_back(col.size());
        expected[i] = sum / 2;
    }
    int *d_row = upload(row), *d_col = upload(col), *d_ready = zeros<int>(n);
    float *d_val = upload(val), *d_b = upload(b), *d_x = allocate<float>(n);
    solve_rows<<<(n + 1) / 2, 64>>>(d_row, d_col, d_val, d_b, d_x, d_ready, n);
    for (int* pointer : {d_row, d_col, d_ready}) {
        cudaFree(pointer);
    }
    cudaFree(d_val);
    cudaFree(d_b);
    return differs("sparse", download(d_x, n), expected, 1e-4);
}

int dense()
{
    const int n = 4 * tile;
    std::vector<float> a = fractions(n * n), expected = fractions(n, 4);
    float* d_x = upload(expected);
    for (int i = 0; i < n; i++) {
        a[i * n + i] = 8;
        for (int j = 0; j < i; j++) {
            expected[i] -= a[i * n + j] * expected[j];
        }
        expected[i] /= 8;
    }
    float* d_a = upload(a);
    int* d_counters = zeros<int>(2);
    solve_tiles<<<n / tile, tile>>>(d_a, d_x, n, d_counters, d_counters + 1);
    cudaFree(d_a);
    cudaFree(d_counters);
    return differs("dense", download(d_x, n), expected, 1e-4);
}

int main()
{
    const int failures = sparse() + dense();
#ifndef REPAIRED
    return 0;
#endif
    return failures;
}
