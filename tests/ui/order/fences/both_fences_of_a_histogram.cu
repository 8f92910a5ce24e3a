// verdict: race
// race: lines 25 and 43, variable counts, global
// repaired: clean
// The block that finishes last adds the histograms of all blocks. The fence before the ticket orders for the block
// only, and none follows the ticket: neither the release nor the acquire reaches other blocks, and repairing one of the
// two leaves the race.
// Repaired: fences of the device on both sides of the ticket.
#include <cstdio>
#include <cuda_runtime.h>

constexpr int blocks = 3, bins = 8, items = 96;
__device__ int counts[blocks][bins];
__device__ int tickets;

__global__ void histogram(const int* values, int* result)
{
    __shared__ int own[bins];
    __shared__ int ticket;
    const int bin = threadIdx.x;
    if (bin < bins) {
        own[bin] = 0;
        for (int item = blockIdx.x; item < items; item += blocks) {
            own[bin] += values[item] == bin;
        }
        counts[blockIdx.x][bin] = own[bin];
    }
    __syncthreads();
    if (threadIdx.x == 0) {
#ifdef REPAIRED
        __threadfence();
#else
        __threadfence_block();
#endif
        ticket = atomicAdd(&tickets, 1);
#ifdef REPAIRED
        __threadfence();
#endif
    }
    __syncthreads();
    if (ticket == blocks - 1 && bin < bins) {
        int total = 0;
        for (int block = 0; block < blocks; ++block) {
            total += counts[block][bin];
        }
        result[bin] = total;
    }
}

int main()
{
    int values[items], sums[bins];
    for (int item = 0; item < items; ++item) {
        values[item] = item * 5 % bins;
    }
    int *input, *result;
    cudaMalloc(&input, sizeof values);
    cudaMalloc(&result, sizeof sums);
    cudaMemcpy(input, values, sizeof values, cudaMemcpyHostToDevice);
    histogram<<<blocks, 32>>>(input, result);
    cudaMemcpy(sums, result, sizeof sums, cudaMemcpyDeviceToHost);
    for (int bin = 0; bin < bins; ++bin) {
#ifdef REPAIRED
        if (sums[bin] != items / bins) return 1;
#endif
    }
    printf("%d values in each of %d bins\n", sums[0], bins);
    return 0;
}
