// verdict: race
// race: lines 17 and 17, variable changed, global
// repaired: clean
// A step of label propagation: each thread that lowers its label sets one flag for the next round.
// All of them write the same value, which is a race all the same.
// Repaired: the flag is set by an atomic operation.
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

__global__ void lower(const int* from, int* to, int n, int* changed)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    to[i] = min(from[i], from[(i + 1) % n]);
#ifndef REPAIRED
    if (to[i] < from[i]) *changed = 1;
#else
    if (to[i] < from[i]) atomicExch(changed, 1);
#endif
}

int main()
{
    const int n = 96;
    std::vector<int> labels(n);
    for (int i = 0; i < n; i++) labels[i] = n - i;
    int *from, *to, *changed, result = 0;
    cudaMalloc(&from, n * sizeof(int));
    cudaMalloc(&to, n * sizeof(int));
    cudaMalloc(&changed, sizeof(int));
    cudaMemcpy(from, labels.data(), n * sizeof(int), cudaMemcpyHostToDevice);
    cudaMemset(changed, 0, sizeof(int));
    lower<<<3, 32>>>(from, to, n, changed);
    cudaMemcpy(&result, changed, sizeof(int), cudaMemcpyDeviceToHost);
    cudaFree(from);
    cudaFree(to);
    cudaFree(changed);
    if (result != 1) return 1;
    printf("changed\n");
    return 0;
}
