// verdict: race
// race: lines 18 and 18, variable total, global
// repaired: clean
// Adds measurements to totals per sensor, through a device function that takes a reference.
// The function adds to the caller's total without atomics.
// Repaired: the function adds atomically.
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

constexpr int sensors = 10;

__device__ void accumulate(int& total, int value)
{
#ifdef REPAIRED
    atomicAdd(&total, value);
#else
    total += value;
#endif
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
#ifdef REPAIRED
    if (totals != expected) {
        fprintf(stderr, "wrong totals\n");
        return 1;
    }
#endif
    printf("summed %d measurements\n", n);
    return 0;
}
