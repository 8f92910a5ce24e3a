// verdict: race
// race: lines 44 and 44, variable from, global
// repaired: clean
// A parallel loop over a device lambda that begins with a macro, as in performance libraries.
// Each element is replaced by its right neighbour, in place.
// Repaired: the result goes to another array.
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

#define DEVICE_LAMBDA [=] __host__ __device__

template <typename Body>
__global__ void run(int n, Body body)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        body(i);
    }
}

template <typename Body>
void forall(int n, Body body)
{
    run<<<(n + 63) / 64, 64>>>(n, body);
}

int main()
{
    const int n = 512;
    std::vector<int> values(n + 1);
    for (int i = 0; i <= n; i++) {
        values[i] = i;
    }
    int *from, *to;
    cudaMalloc(&from, (n + 1) * sizeof(int));
    cudaMalloc(&to, n * sizeof(int));
    cudaMemcpy(from, values.data(), (n + 1) * sizeof(int), cudaMemcpyHostToDevice);
    cudaMemset(to, 0, n * sizeof(int));
    forall(n, DEVICE_LAMBDA(int i) {
#ifdef REPAIRED
        to[i] = from[i + 1];
#else
        from[i] = from[i + 1];
#endif
    });
    cudaDeviceSynchronize();
    cudaMemcpy(values.data(), to, n * sizeof(int), cudaMemcpyDeviceToHost);
    cudaFree(from);
    cudaFree(to);
    printf("first element: %d\n", values[0]);
    return 0;
}
