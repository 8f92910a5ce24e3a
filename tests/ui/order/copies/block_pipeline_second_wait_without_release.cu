// verdict: race
// race: lines 25 and 33, variable s_half, shared
// repaired: clean
// consumer_wait() waits for the current stage, and consumer_release() moves on to the next one. The
// second wait follows no release, so it waits for the first stage again, and the second
// batch is read although nothing says that it has arrived.
// Repaired: the first stage is released before the second wait.
#include <cooperative_groups.h>
#include <cuda/pipeline>
#include <cuda_runtime.h>

namespace cg = cooperative_groups;

__global__ void halves(const int* in, int* out)
{
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
    __shared__ int s_first[32], s_half[32];
    const auto block = cg::this_thread_block();
    const int t = threadIdx.x;
    auto pipe = cuda::make_pipeline(block, &state);
    pipe.producer_acquire();
    cuda::memcpy_async(&s_first[t], &in[t], sizeof(int), pipe);
    pipe.producer_commit();
    pipe.producer_acquire();
    cuda::memcpy_async(&s_half[t], &in[32 + t], sizeof(int), pipe);
    pipe.producer_commit();
    pipe.consumer_wait();
    const int first = s_first[31 - t];
#ifdef REPAIRED
    pipe.consumer_release();
#endif
    pipe.consumer_wait();
    out[t] = first - s_half[31 - t];
    pipe.consumer_release();
}

int main()
{
    int *in, *out;
    cudaMallocManaged(&in, 64 * sizeof(int));
    cudaMallocManaged(&out, 32 * sizeof(int));
    for (int i = 0; i < 64; i++) in[i] = i * i;
    halves<<<1, 32>>>(in, out);
    cudaDeviceSynchronize();
#ifdef REPAIRED
    for (int i = 0; i < 32; i++) {
        if (out[i] != (31 - i) * (31 - i) - (63 - i) * (63 - i)) return 1;
    }
#endif
    return 0;
}
