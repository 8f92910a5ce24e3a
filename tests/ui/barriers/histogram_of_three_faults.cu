// verdict: race
// race: lines 18 and 26, variable s_count, shared
// race: lines 18 and 32, variable s_count, shared
// race: lines 26 and 26, variable s_count, shared
// race: lines 26 and 32, variable s_count, shared
// repaired: clean
// A histogram in shared memory, added up in global memory. Its counters are reset, updated and read with
// no barrier in between, and the update of a counter is not atomic.
// Repaired: two barriers, and atomic updates.
#include <cuda_runtime.h>

constexpr int threads = 128, bins = 16;

__global__ void histogram(const int* in, int* total, int n)
{
    __shared__ int s_count[bins];
    const int t = threadIdx.x;
    if (t < bins) s_count[bins - 1 - t] = 0;
#ifdef REPAIRED
    __syncthreads();
#endif
    for (int i = blockIdx.x * threads + t; i < n; i += gridDim.x * threads) {
#ifdef REPAIRED
        atomicAdd(&s_count[in[i] % bins], 1);
#else
        s_count[in[i] % bins]++;
#endif
    }
#ifdef REPAIRED
    __syncthreads();
#endif
    if (t < bins) atomicAdd(&total[t], s_count[t]);
}

int main()
{
    const int n = 1000;
    int *in, *total;
    cudaMallocManaged(&in, n * sizeof(int));
    cudaMallocManaged(&total, bins * sizeof(int));
    for (int i = 0; i < n; i++) in[i] = i * i;
    cudaMemset(total, 0, bins * sizeof(int));
    histogram<<<2, threads>>>(in, total, n);
    cudaDeviceSynchronize();
#ifdef REPAIRED
    int expected[bins] = {};
    for (int i = 0; i < n; i++) expected[in[i] % bins]++;
    for (int i = 0; i < bins; i++) {
        if (total[i] != expected[i]) return 1;
    }
#endif
    return 0;
}
