// verdict: race
// race: lines 39 and 40, variable , global
// repaired: clean
// Two sums on two streams use the same temporary storage.
// Repaired: each has storage of its own.
#include <cstdio>
#include <cub/device/device_reduce.cuh>

int main()
{
    const int n = 1000;
    int *odd, *even, *sums, results[2];
    int values[n];
    size_t bytes = 0;
    char *storage, *other;
    cudaStream_t first, second;
    cudaStreamCreate(&first);
    cudaStreamCreate(&second);
    cudaMalloc(&odd, n * sizeof(int));
    cudaMalloc(&even, n * sizeof(int));
    cudaMalloc(&sums, 2 * sizeof(int));
    for (int i = 0; i < n; ++i) values[i] = 2 * i;
    cudaMemcpy(even, values, sizeof values, cudaMemcpyHostToDevice);
    for (int i = 0; i < n; ++i) values[i] = 2 * i + 1;
    cudaMemcpy(odd, values, sizeof values, cudaMemcpyHostToDevice);
    cudaDeviceSynchronize();

    cub::DeviceReduce::Sum(nullptr, bytes, odd, sums, n);
    cudaMalloc(&storage, bytes);
#ifdef REPAIRED
    cudaMalloc(&other, bytes);
#else
    other = storage;
#endif



    // The first call may still run when the second one begins.
    cub::DeviceReduce::Sum(storage, bytes, odd, sums, n, first);
    cub::DeviceReduce::Sum(other, bytes, even, sums + 1, n, second);
    cudaDeviceSynchronize();
    cudaMemcpy(results, sums, sizeof results, cudaMemcpyDeviceToHost);
    printf("%d %d\n", results[0], results[1]);
    return results[0] - results[1] == n ? 0 : 1;
}
