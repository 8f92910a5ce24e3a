// verdict: race
// race: lines 13 and 13, variable total, global
// Adds measurements to totals per sensor, through a device function that takes a reference.
// The function adds to the caller's total without atomics.
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

constexpr int sensors = 10;

__device__ void accumulate(int& total, int value)
{
    total += value;
}

__global__ void sum_by_sensor(const int* measurement, int* totals, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        accumulate(totals[i % sensors], measurement[i]);
    }
}

int main()
{
    const int n = 600;
    std::vector<int> measurement(n), totals(sensors), expected(sensors);
    for (int i = 0; i < n; i++) {
        measurement[i] = (i * 3) % 17;
        expected[i % sensors] += measurement[i];
    }
    int *d_measurement, *d_totals;
    cudaMalloc(&d_measurement, n * sizeof(int));
    cudaMalloc(&d_totals, sensors * sizeof(int));
    cudaMemcpy(d_measurement, measurement.data(), n * sizeof(int), cudaMemcpyHostToDevice);
    cudaMemset(d_totals, 0, sensors * sizeof(int));
    sum_by_sensor<<<(n + 127) / 128, 128>>>(d_measurement, d_totals, n);
    cudaMemcpy(totals.data(), d_totals, sensors * sizeof(int), cudaMemcpyDeviceToHost);
    cudaFree(d_measurement);
    cudaFree(d_totals);
    printf("summed %d measurements\n", n);
    return 0;
}
