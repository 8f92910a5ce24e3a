// verdict: race
// race: lines 31 and 31, variable s_tree, shared
// repaired: clean
// Exclusive prefix sum of each block: up-sweep and down-sweep over a tree (Blelloch).
// The levels of the up-sweep are not separated by a barrier.
// Repaired: a barrier precedes every level of both sweeps.
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

constexpr int threads = 64;
constexpr int elements = 2 * threads;
constexpr int blocks = 4;

__global__ void exclusive_scan(const int* in, int* out)
{
    __shared__ int s_tree[elements];
    const int t = threadIdx.x;
    const int base = blockIdx.x * elements;
    s_tree[2 * t] = in[base + 2 * t];
    s_tree[2 * t + 1] = in[base + 2 * t + 1];
#ifndef REPAIRED
    __syncthreads();
#endif
    int offset = 1;
    for (int active = threads; active > 0; active /= 2) {
#ifdef REPAIRED
        __syncthreads();
#endif
        if (t < active) {
            s_tree[offset * (2 * t + 2) - 1] += s_tree[offset * (2 * t + 1) - 1];
        }
        offset *= 2;
    }
    __syncthreads();
    if (t == 0) {
        s_tree[elements - 1] = 0;
    }
    for (int active = 1; active <= threads; active *= 2) {
        offset /= 2;
        __syncthreads();
        if (t < active) {
            const int left = offset * (2 * t + 1) - 1;
            const int right = offset * (2 * t + 2) - 1;
            const int value = s_tree[left];
            s_tree[left] = s_tree[right];
            s_tree[right] += value;
        }
    }
    __syncthreads();
    out[base + 2 * t] = s_tree[2 * t];
    out[base + 2 * t + 1] = s_tree[2 * t + 1];
}

int main()
{
    const int n = elements * blocks;
    std::vector<int> in(n), out(n);
    for (int i = 0; i < n; i++) {
        in[i] = i % 6 + 1;
    }
    int *d_in, *d_out;
    cudaMalloc(&d_in, n * sizeof(int));
    cudaMalloc(&d_out, n * sizeof(int));
    cudaMemcpy(d_in, in.data(), n * sizeof(int), cudaMemcpyHostToDevice);
    exclusive_scan<<<blocks, threads>>>(d_in, d_out);
    cudaMemcpy(out.data(), d_out, n * sizeof(int), cudaMemcpyDeviceToHost);
    cudaFree(d_in);
    cudaFree(d_out);
#ifdef REPAIRED
    int sum = 0;
    for (int i = 0; i < n; i++) {
        sum = i % elements == 0 ? 0 : sum + in[i - 1];
        if (out[i] != sum) {
            fprintf(stderr, "element %d: %d instead of %d\n", i, out[i], sum);
            return 1;
        }
    }
#endif
    printf("scanned %d elements\n", n);
    return 0;
}
