// verdict: race
// race: lines 25 and 34, variable s_items, shared
// race-also: lines 25 and 25, variable s_items, shared
// repaired: clean
// The first 32 threads of the block produce, the others consume, in a pipeline with two stages.
// Only consumer_wait() tells a consumer that the copies committed to a stage are complete; the
// racy form releases the stages without having waited for them.
// Repaired: each stage is waited for, read, released.
#include <cooperative_groups.h>
#include <cuda/pipeline>
#include <cuda_runtime.h>

namespace cg = cooperative_groups;

__global__ void consume(const int* in, int* out)
{
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
    __shared__ int s_items[2][32];
    const auto block = cg::this_thread_block();
    const int lane = threadIdx.x % 32;
    auto pipe = cuda::make_pipeline(block, &state, 32);
    if (threadIdx.x < 32) {
        for (int i = 0; i < 4; i++) {
            pipe.producer_acquire();
            cuda::memcpy_async(&s_items[i % 2][lane], &in[i * 32 + lane], sizeof(int), pipe);
            pipe.producer_commit();
        }
    } else {
        int sum = 0;
        for (int i = 0; i < 4; i++) {
#ifdef REPAIRED
            pipe.consumer_wait();
#endif
            sum += s_items[i % 2][31 - lane];
            pipe.consumer_release();
        }
        out[lane] = sum;
    }
}

int main()
{
    int *in, *out;
    cudaMallocManaged(&in, 128 * sizeof(int));
    cudaMallocManaged(&out, 32 * sizeof(int));
    for (int i = 0; i < 128; i++) in[i] = i;
    consume<<<1, 64>>>(in, out);
    cudaDeviceSynchronize();
#ifdef REPAIRED
    for (int i = 0; i < 32; i++) {
        if (out[i] != 32 * 6 + 4 * (31 - i)) return 1;
    }
#endif
    return 0;
}
