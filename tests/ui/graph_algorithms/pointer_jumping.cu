// verdict: race
// race: lines 23 and 23, variable next, global
// repaired: clean
// Pointer jumping: every element of a linked list finds the end of the list.
// Links are replaced in place while other threads follow them.
// Repaired: links are read from one array and the longer jumps written to another.
#include <cstdio>
#include <utility>
#include <vector>
#include <cuda_runtime.h>

#ifdef REPAIRED
__global__ void jump(const int* next, int* far_next, int n)
#else
__global__ void jump(int* next, int n)
#endif
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
#ifdef REPAIRED
        far_next[i] = next[next[i]];
#else
        next[i] = next[next[i]];
#endif
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
#ifdef REPAIRED
    int* d_far;
    cudaMalloc(&d_far, bytes);
#endif
    for (int length = 1; length < n; length *= 2) {
#ifdef REPAIRED
        jump<<<n / threads, threads>>>(d_next, d_far, n);
        std::swap(d_next, d_far);
#else
        jump<<<n / threads, threads>>>(d_next, n);
#endif
    }
    cudaMemcpy(next.data(), d_next, bytes, cudaMemcpyDeviceToHost);
    cudaFree(d_next);
#ifdef REPAIRED
    cudaFree(d_far);
    for (int i = 0; i < n; i++) {
        if (next[i] != last) {
            fprintf(stderr, "element %d links to %d instead of %d\n", i, next[i], last);
            return 1;
        }
    }
#endif
    printf("%d elements, last is %d\n", n, last);
    return 0;
}
