// verdict: race
// race: lines 22 and 31, variable s_key, shared
// race: lines 22 and 34, variable s_key, shared
// race: lines 22 and 42, variable s_key, shared
// race-also: lines 31 and 33, variable s_key, shared
// race: lines 31 and 34, variable s_key, shared
// race-also: lines 33 and 34, variable s_key, shared
// race-also: lines 33 and 42, variable s_key, shared
// race: lines 34 and 42, variable s_key, shared
// repaired: clean
// A bitonic sort in shared memory with no barrier at all. One of the steps would do without, because its
// pairs are in one warp; all others need one before them, and so do the first and the last copy.
// Repaired: a barrier before the steps, and one at the end of each.
#include <cuda_runtime.h>

constexpr int n = 128;

__global__ void sort(int* data)
{
    __shared__ int s_key[n];
    const int t = threadIdx.x;
    s_key[t] = data[n - 1 - t];
#ifdef REPAIRED
    __syncthreads();
#endif
    for (int size = 2; size <= n; size *= 2) {
#pragma unroll 1
        for (int stride = size / 2; stride > 0; stride /= 2) {
            const int other = t ^ stride;
            if (other > t) {
                const int a = s_key[t], b = s_key[other];
                if ((a > b) == ((t & size) == 0)) {
                    s_key[t] = b;
                    s_key[other] = a;
                }
            }
#ifdef REPAIRED
            __syncthreads();
#endif
        }
    }
    data[n - 1 - t] = s_key[n - 1 - t];
}

int main()
{
    int* data;
    cudaMallocManaged(&data, n * sizeof(int));
    for (int i = 0; i < n; i++) data[i] = i * 37 % n;
    sort<<<1, n>>>(data);
    cudaDeviceSynchronize();
#ifdef REPAIRED
    for (int i = 0; i < n; i++) {
        if (data[i] != i) return 1;
    }
#endif
    return 0;
}
