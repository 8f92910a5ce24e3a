// verdict: race
// race: lines 59 and 59, variable y, global
// repaired: clean
// Sparse matrices: products by rows, by warps, by entries and in ELL format, conjugate gradients,
// a triangular solve by levels, and one whose rows wait for each other.
// Entries of one row that lie in different blocks are added to the result without atomics.
// Repaired: they are added with atomicAdd.
#include <algorithm>
#include "../common/device_data.h"

__global__ void by_rows(const int* row, const int* col, const float* val, const float* x, float* y, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float sum = 0;
        for (int k = row[i]; k < row[i + 1]; k++) {
            sum += val[k] * x[col[k]];
        }
        y[i] = sum;
    }
}

__global__ void by_warps(const int* row, const int* col, const float* val, const float* x, float* y, int n)
{
    const int warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    if (warp < n) {
        float sum = 0;
        for (int k = row[warp] + lane; k < row[warp + 1]; k += 32) {
            sum += val[k] * x[col[k]];
        }
        for (int offset = 16; offset > 0; offset /= 2) {
            sum += __shfl_xor_sync(~0u, sum, offset);
        }
        if (lane == 0) {
            y[warp] = sum;
        }
    }
}

// Each warp sums runs of entries of the same row before it adds them.
__global__ void by_entries(const int* rows, const int* col, const float* val, const float* x,
                           float* y, int entries)
{
    const int k = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % 32;
    const int row = k < entries ? rows[k] : -1;
    float sum = k < entries ? val[k] * x[col[k]] : 0;
    for (int distance = 1; distance < 32; distance *= 2) {
        const float before = __shfl_up_sync(~0u, sum, distance);
        const int other = __shfl_up_sync(~0u, row, distance);
        if (lane >= distance && other == row) {
            sum += before;
        }
    }
    const int next = __shfl_down_sync(~0u, row, 1);
    if (row >= 0 && (lane == 31 || next != row)) {
#ifdef REPAIRED
        atomicAdd(&y[row], sum);
#else
        y[row] += sum;
#endif
    }
}

__global__ void ell(const int* col, const float* val, const float* x, float* y, int n, int width)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float sum = 0;
        for (int k = 0; k < width; k++) {
            if (col[k * n + i] >= 0) {
                sum += val[k * n + i] * x[col[k * n + i]];
            }
        }
        y[i] = sum;
    }
}

__global__ void dot(const float* a, const float* b, float* out, int n)
{
    __shared__ float sums[64];
    float sum = 0;
    for (int i = threadIdx.x; i < n; i += 64) {
        sum += a[i] * b[i];
    }
    sums[threadIdx.x] = sum;
    for (int half = 32; half > 0; half /= 2) {
        __syncthreads();
        if (threadIdx.x < half) {
            sums[threadIdx.x] += sums[threadIdx.x + half];
        }
    }
    if (threadIdx.x == 0) {
        *out = sums[0];
    }
}

// x += a p and r -= a q with a = (r r) / (p q), from device memory.
__global__ void advance(float* x, float* r, const float* p, const float* q, const float* rr,
                        const float* pq, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        const float a = *rr / *pq;
        x[i] += a * p[i];
        r[i] -= a * q[i];
    }
}

__global__ void direction(float* p, const float* r, const float* now, const float* before, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        p[i] = r[i] + *now / *before * p[i];
    }
}

__global__ void solve_level(const int* order, int count, const int* row, const int* col,
                            const float* val, const float* b, float* x)
{
    const int at = blockIdx.x * blockDim.x + threadIdx.x;
    if (at < count) {
        const int i = order[at];
        float sum = b[i];
        int k = row[i];
        for (; col[k] < i; k++) {
            sum -= val[k] * x[col[k]];
        }
        x[i] = sum / val[k];
    }
}

struct Matrix {
    int n;
    std::vector<int> row, col, rows;
    std::vector<float> val;
};

Matrix grid_matrix(int side)
{
    Matrix m{side * side, {0}, {}, {}, {}};
    for (int i = 0; i < m.n; i++) {
        const int x = i % side, y = i / side;
        auto add = [&](bool there, int j, float value) {
            if (there) {
                m.rows.push_back(i);
                m.col.push_back(j);
                m.val.push_back(value);
            }
        };
        add(y > 0, i - side, -1);
        add(x > 0, i - 1, -1);
        add(true, i, 4.5f);
        add(x + 1 < side, i + 1, -1);
        add(y + 1 < side, i + side, -1);
        m.row.push_back(m.col.size());
    }
    return m;
}

std::vector<float> product(const Matrix& m, const std::vector<float>& x)
{
    std::vector<float> y(m.n);
    for (size_t k = 0; k < m.col.size(); k++) {
        y[m.rows[k]] += m.val[k] * x[m.col[k]];
    }
    return y;
}

int products(const Matrix& m)
{
    const int n = m.n, entries = m.col.size(), width = 5;
    const std::vector<float> x = fractions(n), expected = product(m, x);
    std::vector<int> ell_col(width * n, -1);
    std::vector<float> ell_val(width * n);
    for (int i = 0; i < n; i++) {
        for (int k = m.row[i]; k < m.row[i + 1]; k++) {
            ell_col[(k - m.row[i]) * n + i] = m.col[k];
            ell_val[(k - m.row[i]) * n + i] = m.val[k];
        }
    }
    int *d_row = upload(m.row), *d_col = upload(m.col), *d_rows = upload(m.rows);
    int* d_ell_col = upload(ell_col);
    float *d_val = upload(m.val), *d_x = upload(x), *d_ell_val = upload(ell_val);
    float *d_y[4] = {allocate<float>(n), allocate<float>(n), zeros<float>(n), allocate<float>(n)};
    by_rows<<<(n + 63) / 64, 64>>>(d_row, d_col, d_val, d_x, d_y[0], n);
    by_warps<<<(n + 1) / 2, 64>>>(d_row, d_col, d_val, d_x, d_y[1], n);
    by_entries<<<(entries + 63) / 64, 64>>>(d_rows, d_col, d_val, d_x, d_y[2], entries);
    ell<<<(n + 63) / 64, 64>>>(d_ell_col, d_ell_val, d_x, d_y[3], n, width);
    for (int* pointer : {d_row, d_col, d_rows, d_ell_col}) {
        cudaFree(pointer);
    }
    for (float* pointer : {d_val, d_x, d_ell_val}) {
        cudaFree(pointer);
    }
    int failures = 0;
    for (float* y : d_y) {
        failures += differs("product", download(y, n), expected, 1e-4);
    }
    return failures;
}

int conjugate_gradients(const Matrix& m)
{
    const int n = m.n, blocks = (n + 63) / 64;
    const std::vector<float> b = fractions(n, 5);
    int *d_row = upload(m.row), *d_col = upload(m.col);
    float *d_val = upload(m.val), *x = zeros<float>(n), *r = upload(b), *p = upload(b);
    float *q = allocate<float>(n), *scalars = allocate<float>(3);
    float *now = scalars, *before = scalars + 1, *pq = scalars + 2;
    dot<<<1, 64>>>(r, r, now, n);
    for (int step = 0; step < 15; step++) {
        by_rows<<<blocks, 64>>>(d_row, d_col, d_val, p, q, n);
        dot<<<1, 64>>>(p, q, pq, n);
        advance<<<blocks, 64>>>(x, r, p, q, now, pq, n);
        std::swap(now, before);
        dot<<<1, 64>>>(r, r, now, n);
        direction<<<blocks, 64>>>(p, r, now, before, n);
    }
    for (float* pointer : {d_val, r, p, q, scalars}) {
        cudaFree(pointer);
    }
    cudaFree(d_row);
    cudaFree(d_col);
    return differs("conjugate gradients", product(m, download(x, n)), b, 1e-3);
}

int triangular(const Matrix& m)
{
    std::vector<int> depth(m.n);
    std::vector<float> expected(m.n);
    const std::vector<float> b = fractions(m.n, 8);
    int last = 0;
    for (int i = 0; i < m.n; i++) {
        float sum = b[i];
        int k = m.row[i];
        for (; m.col[k] < i; k++) {
            depth[i] = std::max(depth[i], depth[m.col[k]] + 1);
            sum -= m.val[k] * expected[m.col[k]];
        }
        expected[i] = sum / m.val[k];
        last = std::max(last, depth[i]);
    }
    int *d_row = upload(m.row), *d_col = upload(m.col);
    float *d_val = upload(m.val), *d_b = upload(b), *d_x = allocate<float>(m.n);
    for (int level = 0; level <= last; level++) {
        std::vector<int> order;
        for (int i = 0; i < m.n; i++) {
            if (depth[i] == level) {
                order.push_back(i);
            }
        }
        int* d_order = upload(order);
        solve_level<<<1, 32>>>(d_order, order.size(), d_row, d_col, d_val, d_b, d_x);
        cudaFree(d_order);
    }
    cudaFree(d_row);
    cudaFree(d_col);
    cudaFree(d_val);
    cudaFree(d_b);
    return differs("triangular", download(d_x, m.n), expected, 1e-4);
}

int main()
{
    const Matrix m = grid_matrix(13);
    const int failures = products(m) + conjugate_gradients(m) + triangular(m);
#ifndef REPAIRED
    return 0;
#endif
    return failures;
}
