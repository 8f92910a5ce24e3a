// verdict: race
// race: lines 32 and 35, variable a, global
// repaired: clean
// LU decomposition without pivoting, one elimination step at a time.
// A launch divides column k and uses the quotients at once, in other threads.
// Repaired: dividing column k and using the quotients are two launches.
#include <cmath>
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

constexpr int n = 32;

#ifdef REPAIRED
__global__ void divide_column(double* a, int k)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i > k) {
        a[i * n + k] /= a[k * n + k];
    }
}

#endif
__global__ void eliminate(double* a, int k)
{
    const int i = blockIdx.y * blockDim.y + threadIdx.y;
    const int j = blockIdx.x * blockDim.x + threadIdx.x;
#ifdef REPAIRED
    if (i > k && j > k) {
#else
    if (i > k && j == k) {
        a[i * n + k] /= a[k * n + k];
    } else if (i > k && j > k) {
#endif
        a[i * n + j] -= a[i * n + k] * a[k * n + j];
    }
}

int main()
{
    std::vector<double> a(n * n), lu(n * n);
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            a[i * n + j] = (i == j ? n : 0) + 1.0 / (1 + (i * 3 + j) % 7);
        }
    }
    double* d_a;
    cudaMalloc(&d_a, n * n * sizeof(double));
    cudaMemcpy(d_a, a.data(), n * n * sizeof(double), cudaMemcpyHostToDevice);
    const dim3 block(16, 8);
    const dim3 grid(n / 16, n / 8);
    for (int k = 0; k < n - 1; k++) {
#ifdef REPAIRED
        divide_column<<<1, n>>>(d_a, k);
#endif
        eliminate<<<grid, block>>>(d_a, k);
    }
    cudaMemcpy(lu.data(), d_a, n * n * sizeof(double), cudaMemcpyDeviceToHost);
    cudaFree(d_a);
#ifdef REPAIRED
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            double product = 0;
            for (int k = 0; k <= i && k <= j; k++) {
                product += (k == i ? 1.0 : lu[i * n + k]) * lu[k * n + j];
            }
            if (std::fabs(product - a[i * n + j]) > 1e-9) {
                fprintf(stderr, "wrong element at row %d, column %d\n", i, j);
                return 1;
            }
        }
    }
#endif
    printf("decomposed a %d x %d matrix\n", n, n);
    return 0;
}
