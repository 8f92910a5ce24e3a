// verdict: race
// race: lines 21 and 21, variable sums, global
// repaired: clean
// Sums doubles by residue class.
// Eight-byte read-modify-writes of the same sum are not ordered.
// Repaired: sums are updated with the double-precision atomicAdd.
#include <cmath>
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

constexpr int classes = 7;

__global__ void sum_classes(const double* in, double* sums, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
#ifdef REPAIRED
        atomicAdd(&sums[i % classes], in[i]);
#else
        sums[i % classes] += in[i];
#endif
    }
}

int main()
{
    const int n = 500;
    std::vector<double> in(n), sums(classes), expected(classes);
    for (int i = 0; i < n; i++) {
        in[i] = 1.0 / (1 + i % 10);
        expected[i % classes] += in[i];
    }
    double *d_in, *d_sums;
    cudaMalloc(&d_in, n * sizeof(double));
    cudaMalloc(&d_sums, classes * sizeof(double));
    cudaMemcpy(d_in, in.data(), n * sizeof(double), cudaMemcpyHostToDevice);
    cudaMemset(d_sums, 0, classes * sizeof(double));
    sum_classes<<<(n + 95) / 96, 96>>>(d_in, d_sums, n);
    cudaMemcpy(sums.data(), d_sums, classes * sizeof(double), cudaMemcpyDeviceToHost);
    cudaFree(d_in);
    cudaFree(d_sums);
#ifdef REPAIRED
    for (int c = 0; c < classes; c++) {
        if (std::fabs(sums[c] - expected[c]) > 1e-9) {
            fprintf(stderr, "class %d: %f instead of %f\n", c, sums[c], expected[c]);
            return 1;
        }
    }
#endif
    printf("summed %d doubles\n", n);
    return 0;
}
