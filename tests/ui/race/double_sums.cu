// verdict: race
// race: lines 16 and 16, variable sums, global
// Sums doubles by residue class.
// Eight-byte read-modify-writes of the same sum are not ordered.
#include <cmath>
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

constexpr int classes = 7;

__global__ void sum_classes(const double* in, double* sums, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        sums[i % classes] += in[i];
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
    printf("summed %d doubles\n", n);
    return 0;
}
