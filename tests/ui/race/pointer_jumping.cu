// verdict: race
// race: lines 14 and 14, variable next, global
// Pointer jumping: every element of a linked list finds the end of the list.
// Links are replaced in place while other threads follow them.
#include <cstdio>
#include <utility>
#include <vector>
#include <cuda_runtime.h>

__global__ void jump(int* next, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        next[i] = next[next[i]];
    }
}

int main()
{
    const int n = 256, threads = 64;
    // The list runs through all elements in steps of 77; its last element links to itself.
    const int last = (n - 1) * 77 % n;
    std::vector<int> next(n);
    for (int i = 0; i < n; i++) {
        next[i] = i == last ? i : (i + 77) % n;
    }
    const size_t bytes = n * sizeof(int);
    int* d_next;
    cudaMalloc(&d_next, bytes);
    cudaMemcpy(d_next, next.data(), bytes, cudaMemcpyHostToDevice);
    for (int length = 1; length < n; length *= 2) {
        jump<<<n / threads, threads>>>(d_next, n);
    }
    cudaMemcpy(next.data(), d_next, bytes, cudaMemcpyDeviceToHost);
    cudaFree(d_next);
    printf("%d elements, last is %d\n", n, last);
    return 0;
}
