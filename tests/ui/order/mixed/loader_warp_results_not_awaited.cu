// verdict: race
// race: lines 33 and 29, variable s_result, shared
// race: lines 33 and 30, variable s_result, shared
// repaired: clean
// Warp 0 loads tiles and writes results back, warps 1 and 2 compute. `loaded` orders the tile's
// stores before the computation; the results go the other way, and need a barrier of their own.
// Repaired: the computing warps arrive at `computed`, and warp 0 waits there.
#include <cuda/barrier>
#include <cuda_runtime.h>

__global__ void specialised(const int* in, int* out, int tiles)
{
    __shared__ cuda::barrier<cuda::thread_scope_block> loaded, computed;
    __shared__ int s_tile[64], s_result[64];
    const int t = threadIdx.x;
    if (t == 0) {
        init(&loaded, 96);
        init(&computed, 96);
    }
    __syncthreads();
    for (int i = 0; i < tiles; i++) {
        if (t < 32) {
            s_tile[t] = in[i * 64 + t];
            s_tile[t + 32] = in[i * 64 + t + 32];
            (void)loaded.arrive();
#ifdef REPAIRED
            computed.arrive_and_wait();
#endif
            out[i * 64 + t] = s_result[t];
            out[i * 64 + t + 32] = s_result[t + 32];
        } else {
            loaded.arrive_and_wait();
            s_result[t - 32] = s_tile[t - 32] * s_tile[t - 32];
#ifdef REPAIRED
            (void)computed.arrive();
#endif
        }
        __syncthreads();
    }
}

int main()
{
    int *in, *out;
    cudaMallocManaged(&in, 3 * 64 * sizeof(int));
    cudaMallocManaged(&out, 3 * 64 * sizeof(int));
    for (int i = 0; i < 3 * 64; i++) in[i] = i;
    specialised<<<1, 96>>>(in, out, 3);
    cudaDeviceSynchronize();
#ifdef REPAIRED
    for (int i = 0; i < 3 * 64; i++) {
        if (out[i] != i * i) return 1;
    }
#endif
    return 0;
}
