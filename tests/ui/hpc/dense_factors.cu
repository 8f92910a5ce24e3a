// verdict: race
// race: lines 31 and 40, variable best, shared
// race: lines 33 and 43, variable a, shared
// race: lines 33 and 42, variable a, shared
// race-also: lines 31 and 42, variable best, shared
// race-also: lines 31 and 43, variable best, shared
// race-also: lines 33 and 40, variable best, shared
// race-also: lines 33 and 42, variable best, shared
// race-also: lines 33 and 43, variable best, shared
// repaired: clean
// Dense factorisations: LU with partial pivoting, Cholesky, QR by Givens rotations of rows, and
// Gauss-Jordan inverses of a batch.
// After the search for the pivot, rows are exchanged while other threads still read the column.
// Repaired: a barrier after the search.
#include "../common/device_data.h"

constexpr int n = 12;

__global__ void lu_pivoted(float* matrices, int* pivots)
{
    __shared__ float a[n][n];
    __shared__ int best;
    const int t = threadIdx.x;
    float* matrix = matrices + blockIdx.x * n * n;
    for (int i = t; i < n * n; i += blockDim.x) {
        a[i / n][i % n] = matrix[i];
    }
    __syncthreads();
    for (int k = 0; k < n; k++) {
        if (t == 0) {
            best = k;
            for (int row = k + 1; row < n; row++) {
                best = fabsf(a[row][k]) > fabsf(a[best][k]) ? row : best;
            }
            pivots[blockIdx.x * n + k] = best;
        }
#ifdef REPAIRED
        __syncthreads();
#endif
        if (t < n && best != k) {
            const float upper = a[k][t];
            a[k][t] = a[best][t];
            a[best][t] = upper;
        }
        __syncthreads();
        if (t > k && t < n) {
            a[t][k] /= a[k][k];
            for (int column = k + 1; column < n; column++) {
                a[t][column] -= a[t][k] * a[k][column];
            }
        }
        __syncthreads();
    }
    for (int i = t; i < n * n; i += blockDim.x) {
        matrix[i] = a[i / n][i % n];
    }
}

__global__ void cholesky(float* matrix)
{
    __shared__ float a[n][n + 1];
    const int row = threadIdx.y, column = threadIdx.x;
    a[row][column] = matrix[row * n + column];
    __syncthreads();
    for (int k = 0; k < n; k++) {
        if (row == k && column == k) {
            a[k][k] = sqrtf(a[k][k]);
        }
        __syncthreads();
        if (column == k && row > k) {
            a[row][k] /= a[k][k];
        }
        __syncthreads();
        if (column > k && row >= column) {
            a[row][column] -= a[row][k] * a[column][k];
        }
        __syncthreads();
    }
    matrix[row * n + column] = column <= row ? a[row][column] : 0;
}

// Rows 2 i and 2 i + 1 are rotated at the same time; one column after the other becomes zero.
__global__ void givens(float* matrix, int rows)
{
    extern __shared__ float a[];
    const int column = threadIdx.x;
    for (int row = threadIdx.y; row < rows; row += blockDim.y) {
        a[row * n + column] = matrix[row * n + column];
    }
    __syncthreads();
    for (int step = 0; step < rows + n - 2; step++) {
        const int k = threadIdx.y, upper = rows - 2 - step + 2 * k;
        const bool active = k <= step && upper >= k && upper < rows - 1;
        float top = 0, bottom = 0, c = 1, s = 0;
        if (active) {
            top = a[upper * n + column];
            bottom = a[(upper + 1) * n + column];
            const float p = a[upper * n + k], q = a[(upper + 1) * n + k];
            const float r = sqrtf(p * p + q * q);
            c = r > 0 ? p / r : 1;
            s = r > 0 ? q / r : 0;
        }
        __syncthreads();
        if (active) {
            a[upper * n + column] = c * top + s * bottom;
            a[(upper + 1) * n + column] = c * bottom - s * top;
        }
        __syncthreads();
    }
    for (int row = threadIdx.y; row < rows; row += blockDim.y) {
        matrix[row * n + column] = a[row * n + column];
    }
}

__global__ void invert(const float* matrices, float* inverses)
{
    __shared__ float a[8][16];
    const int row = threadIdx.y, column = threadIdx.x;
    const float* matrix = matrices + blockIdx.x * 64;
    a[row][column] = column < 8 ? matrix[row * 8 + column] : (column - 8 == row ? 1.0f : 0.0f);
    for (int k = 0; k < 8; k++) {
        __syncthreads();
        const float scaled = a[k][column] / a[k][k], factor = a[row][k];
        __syncthreads();
        a[row][column] = row == k ? scaled : a[row][column] - factor * scaled;
    }
    if (column >= 8) {
        inverses[blockIdx.x * 64 + row * 8 + column - 8] = a[row][column];
    }
}

int lu()
{
    const int count = 3;
    std::vector<float> in = fractions(count * n * n);
    float* d_a = upload(in);
    int* d_pivots = allocate<int>(count * n);
    lu_pivoted<<<count, 32>>>(d_a, d_pivots);
    const std::vector<float> a = download(d_a, in.size());
    const std::vector<int> pivots = download(d_pivots, count * n);
    std::vector<float> product(in.size());
    for (int m = 0; m < count; m++) {
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < n; j++) {
                for (int k = 0; k <= i && k <= j; k++) {
                    product[(m * n + i) * n + j] +=
                        (k == i ? 1 : a[(m * n + i) * n + k]) * a[(m * n + k) * n + j];
                }
            }
        }
        for (int k = 0; k < n; k++) {
            for (int j = 0; j < n; j++) {
                std::swap(in[(m * n + k) * n + j], in[(m * n + pivots[m * n + k]) * n + j]);
            }
        }
    }
    return differs("LU", product, in, 1e-4);
}

int symmetric()
{
    const std::vector<float> b = fractions(n * n, 7);
    std::vector<float> a(n * n);
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            a[i * n + j] = i == j ? 1 : 0;
            for (int k = 0; k < n; k++) {
                a[i * n + j] += b[i * n + k] * b[j * n + k];
            }
        }
    }
    float* d_a = upload(a);
    cholesky<<<1, dim3(n, n)>>>(d_a);
    const std::vector<float> l = download(d_a, n * n);
    std::vector<float> product(n * n);
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            for (int k = 0; k < n; k++) {
                product[i * n + j] += l[i * n + k] * l[j * n + k];
            }
        }
    }
    return differs("Cholesky", product, a, 1e-4);
}

int rotations()
{
    const int rows = 20;
    const std::vector<float> a = fractions(rows * n, 3);
    float* d_a = upload(a);
    givens<<<1, dim3(n, n), rows * n * sizeof(float)>>>(d_a, rows);
    const std::vector<float> r = download(d_a, rows * n);
    // The columns keep their scalar products, and nothing is left below the diagonal.
    std::vector<float> got, expected;
    for (int i = 0; i < n; i++) {
        for (int j = 0; j <= i; j++) {
            float before = 0, after = 0;
            for (int k = 0; k < rows; k++) {
                before += a[k * n + i] * a[k * n + j];
                after += r[k * n + i] * r[k * n + j];
            }
            got.push_back(after);
            expected.push_back(before);
        }
        for (int k = i + 1; k < rows; k++) {
            got.push_back(r[k * n + i]);
            expected.push_back(0);
        }
    }
    return differs("QR", got, expected, 1e-4);
}

int inverses()
{
    const int count = 4;
    std::vector<float> a = fractions(count * 64, 5), identity(count * 64);
    for (int i = 0; i < count * 8; i++) {
        a[i * 8 + i % 8] += 4;
        identity[i * 8 + i % 8] = 1;
    }
    float *d_a = upload(a), *d_inverses = allocate<float>(a.size());
    invert<<<count, dim3(16, 8)>>>(d_a, d_inverses);
    cudaFree(d_a);
    const std::vector<float> inverse = download(d_inverses, a.size());
    std::vector<float> product(a.size());
    for (int i = 0; i < count * 64; i++) {
        for (int k = 0; k < 8; k++) {
            product[i] += a[i / 8 * 8 + k] * inverse[i / 64 * 64 + k * 8 + i % 8];
        }
    }
    return differs("inverse", product, identity, 1e-4);
}

int main()
{
    const int failures = lu() + symmetric() + rotations() + inverses();
#ifndef REPAIRED
    return 0;
#endif
    return failures;
}
