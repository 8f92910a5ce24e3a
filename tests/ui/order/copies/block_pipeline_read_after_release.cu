// verdict: race
// race: lines 23 and 31, variable s_tile, shared
// repaired: clean
// All threads produce and consume in a pipeline of block scope with one stage. consumer_release()
// gives the stage back, and producer_acquire() of the next round waits for the releases; loads
// after the release race with the next round's copies.
// Repaired: the stage is released after the loads.
#include <cooperative_groups.h>
#include <cuda/pipeline>
#include <cuda_runtime.h>

namespace cg = cooperative_groups;

__global__ void flip(const int* in, int* out, int rounds)
{
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 1> state;
    __shared__ int s_tile[64];
    const auto block = cg::this_thread_block();
    const int t = threadIdx.x;
    auto pipe = cuda::make_pipeline(block, &state);
    for (int i = 0; i < rounds; i++) {
        pipe.producer_acquire();
        cuda::memcpy_async(&s_tile[t], &in[i * 64 + t], sizeof(int), pipe);
        pipe.producer_commit();
        pipe.consumer_wait();
#ifdef REPAIRED
        out[i * 64 + t] = s_tile[63 - t];
        pipe.consumer_release();
#else
        pipe.consumer_release();
        out[i * 64 + t] = s_tile[63 - t];
#endif
    }
}

int main()
{
    int *in, *out;
    cudaMallocManaged(&in, 3 * 64 * sizeof(int));
    cudaMallocManaged(&out, 3 * 64 * sizeof(int));
    for (int i = 0; i < 3 * 64; i++) in[i] = 7 * i;
    flip<<<1, 64>>>(in, out, 3);
    cudaDeviceSynchronize();
#ifdef REPAIRED
    for (int i = 0; i < 3 * 64; i++) {
        if (out[i] != 7 * (i / 64 * 64 + 63 - i % 64)) return 1;
    }
#endif
    return 0;
}
