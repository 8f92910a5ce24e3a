// verdict: race
// race: lines 31 and 31, variable slot, shared
// repaired: clean
// Open addressing without probing: keys are counted per slot through a reference.
// The reference hides that many threads increment the same shared slot.
// Repaired: the slot behind the reference is incremented atomically.
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

constexpr int slots = 32;

__device__ int slot_of(int key)
{
    return (key * 2654435761u >> 16) % slots;
}

__global__ void count_keys(const int* keys, int* counts)
{
    __shared__ int s_table[slots];
    if (threadIdx.x < slots) {
        int& slot = s_table[threadIdx.x];
        slot = 0;
    }
    __syncthreads();
    const int key = keys[blockIdx.x * blockDim.x + threadIdx.x];
    int& slot = s_table[slot_of(key)];
#ifdef REPAIRED
    atomicAdd(&slot, 1);
#else
    slot += 1;
#endif
    __syncthreads();
    if (threadIdx.x < slots) {
        atomicAdd(&counts[threadIdx.x], s_table[threadIdx.x]);
    }
}

int main()
{
    const int blocks = 3, threads = 128, n = blocks * threads;
    std::vector<int> keys(n), counts(slots);
    for (int i = 0; i < n; i++) {
        keys[i] = i * 17;
    }
    int *d_keys, *d_counts;
    cudaMalloc(&d_keys, n * sizeof(int));
    cudaMalloc(&d_counts, slots * sizeof(int));
    cudaMemcpy(d_keys, keys.data(), n * sizeof(int), cudaMemcpyHostToDevice);
    cudaMemset(d_counts, 0, slots * sizeof(int));
    count_keys<<<blocks, threads>>>(d_keys, d_counts);
    cudaMemcpy(counts.data(), d_counts, slots * sizeof(int), cudaMemcpyDeviceToHost);
    cudaFree(d_keys);
    cudaFree(d_counts);
#ifdef REPAIRED
    int total = 0;
    for (int count : counts) {
        total += count;
    }
    if (total != n) {
        fprintf(stderr, "%d keys counted instead of %d\n", total, n);
        return 1;
    }
#endif
    printf("counted %d keys\n", n);
    return 0;
}
