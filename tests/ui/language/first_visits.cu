// verdict: race
// race: lines 16 and 16, variable seen, global
// repaired: clean
// Walks along paths and counts the nodes that no other walk has visited. A postfix operator binds more tightly than
// the prefix operator before it: `!seen[i]++` reads and writes seen[i].
// Repaired: each node is claimed by an atomic operation.
#include <cstdio>
#include <cuda_runtime.h>

constexpr int nodes = 96, walks = 64, blocks = 3;

__global__ void walk(const int* path, int* seen, int* first)
{
    int at = path[blockIdx.x * blockDim.x + threadIdx.x], found = 0;
#ifndef REPAIRED
    if (!seen[at]++) found = 1;
#else
    if (!atomicAdd(&seen[at], 1)) found = 1;
#endif
    if (found) atomicAdd(first, 1);
}

int main()
{
    int *path, *seen, *first;
    cudaMallocManaged(&path, walks * blocks * sizeof(int));
    cudaMallocManaged(&seen, nodes * sizeof(int));
    cudaMallocManaged(&first, sizeof(int));
    for (int i = 0; i < walks * blocks; i++) path[i] = i * 5 % nodes;
    for (int i = 0; i < nodes; i++) seen[i] = 0;
    *first = 0;
    walk<<<blocks, walks>>>(path, seen, first);
    cudaDeviceSynchronize();
#ifdef REPAIRED
    if (*first != nodes) {
        fprintf(stderr, "%d first visits\n", *first);
        return 1;
    }
#endif
    return 0;
}
