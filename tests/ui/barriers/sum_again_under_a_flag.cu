// verdict: race
// race: lines 18 and 24, variable partial, shared
// repaired: clean
// The lanes of each warp count items by a ballot, and the first warp adds the counts of all warps without a barrier
// before. The second count is for blocks only whose thread 0 has set a flag, which a barrier makes known to all.
// Repaired: a barrier in the function. Both of its calls reach it with all threads.
#include <cstdio>
#include <cuda_runtime.h>

constexpr int threads = 96, warp = 32;

__device__ int count(bool counts, int* partial)
{
    const unsigned votes = __ballot_sync(0xffffffff, counts);
    const int lane = threadIdx.x % warp;
    int sum = 0;
    if (lane == 0) {
        partial[threadIdx.x / warp] = __popc(votes);
    }
#ifdef REPAIRED
    __syncthreads();
#endif
    if (threadIdx.x == 0) {
        for (int w = 0; w < threads / warp; ++w) sum += partial[w];
    }
    return sum;
}

__global__ void odd_or_all(const int* in, int* out)
{
    __shared__ int partial[threads / warp];
    __shared__ bool is_rare;
    const int value = in[blockIdx.x * threads + threadIdx.x];
    int found = count(value % 2 == 1, partial);
    if (threadIdx.x == 0) {
        is_rare = found < 5;
    }
    __syncthreads();
    if (is_rare) {
        found = count(value > 0, partial);
    }
    if (threadIdx.x == 0) out[blockIdx.x] = found;
}

int main()
{
    int values[2 * threads], found[2];
    for (int i = 0; i < 2 * threads; ++i) values[i] = i < threads ? i : 2 * i;
    int *in, *out;
    cudaMalloc(&in, sizeof values);
    cudaMalloc(&out, sizeof found);
    cudaMemcpy(in, values, sizeof values, cudaMemcpyHostToDevice);
    odd_or_all<<<2, threads>>>(in, out);
    cudaMemcpy(found, out, sizeof found, cudaMemcpyDeviceToHost);
#ifdef REPAIRED
    if (found[0] != threads / 2 || found[1] != threads) return 1;
#endif
    printf("%d %d\n", found[0], found[1]);
    return 0;
}
