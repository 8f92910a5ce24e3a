// verdict: race
// race: lines 24 and 28, variable s_words, shared
// repaired: clean
// One warp has the role of the producer, the other one that of the consumer. The consumer first
// peeks at the stage to see whether it is worth waiting. Before consumer_wait() returns, the
// copies of the producers are not ordered before anything that a consumer does.
// Repaired: the stage is only read between consumer_wait() and consumer_release().
#include <cooperative_groups.h>
#include <cuda/pipeline>
#include <cuda_runtime.h>

namespace cg = cooperative_groups;

__global__ void sums(const int4* in, int* out)
{
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 1> state;
    __shared__ int4 s_words[32];
    const auto block = cg::this_thread_block();
    const int lane = threadIdx.x % 32;
    const auto role = threadIdx.x < 32 ? cuda::pipeline_role::producer : cuda::pipeline_role::consumer;
    auto pipe = cuda::make_pipeline(block, &state, role);
    if (role == cuda::pipeline_role::producer) {
        pipe.producer_acquire();
        cuda::memcpy_async(&s_words[lane], &in[lane], cuda::aligned_size_t<16>(sizeof(int4)), pipe);
        pipe.producer_commit();
    } else {
#ifndef REPAIRED
        out[lane] = s_words[lane].x;
#endif
        pipe.consumer_wait();
        const int4 words = s_words[lane];
        out[lane] = words.x + words.y + words.z + words.w;
        pipe.consumer_release();
    }
}

int main()
{
    int4* in;
    int* out;
    cudaMallocManaged(&in, 32 * sizeof(int4));
    cudaMallocManaged(&out, 32 * sizeof(int));
    for (int i = 0; i < 32; i++) in[i] = make_int4(i, 2 * i, 3 * i, 4 * i);
    sums<<<1, 64>>>(in, out);
    cudaDeviceSynchronize();
#ifdef REPAIRED
    for (int i = 0; i < 32; i++) {
        if (out[i] != 10 * i) return 1;
    }
#endif
    return 0;
}
