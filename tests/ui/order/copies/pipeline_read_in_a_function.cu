// verdict: race
// race: lines 31 and 17, variable tile, shared
// race-also: lines 31 and 31, variable tile, shared
// repaired: clean
// Tiles are copied by a pipeline of the block, and a function that is given no pipeline reads them. Its caller does not
// wait for a tile.
// Repaired: the caller waits before the call.
#include <cstdio>
#include <cooperative_groups.h>
#include <cuda/pipeline>
namespace cg = cooperative_groups;

constexpr int stages = 2, width = 32, tiles = 4;

__device__ int largest_pair(const int* tile)
{
    return max(tile[threadIdx.x], tile[width - 1 - threadIdx.x]);
}

__global__ void largest(const int* in, int* out)
{
    __shared__ int tile[stages][width];
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, stages> state;
    auto block = cg::this_thread_block();
    auto pipeline = cuda::make_pipeline(block, &state);
    int result = 0;
    for (int next = 0, now = 0; now < tiles; ++now) {
        while (next < tiles && next < now + stages) {
            pipeline.producer_acquire();
            const int* from = in + next * width;
            cuda::memcpy_async(block, tile[next % stages], from, sizeof(int) * width, pipeline);
            pipeline.producer_commit();
            ++next;
        }
#ifdef REPAIRED
        pipeline.consumer_wait();
#endif
        result = max(result, largest_pair(tile[now % stages]));
        pipeline.consumer_release();
    }
    out[threadIdx.x] = result;
}

int main()
{
    int values[tiles * width], results[width];
    for (int i = 0; i < tiles * width; ++i) values[i] = i * 37 % 251;
    int *in, *out;
    cudaMalloc(&in, sizeof values);
    cudaMalloc(&out, sizeof results);
    cudaMemcpy(in, values, sizeof values, cudaMemcpyHostToDevice);
    largest<<<1, width>>>(in, out);
    cudaMemcpy(results, out, sizeof results, cudaMemcpyDeviceToHost);
    for (int i = 0; i < width; ++i) {
        int expected = 0;
        for (int k = 0; k < tiles; ++k) {
            for (int from : {i, width - 1 - i}) {
                const int value = values[k * width + from];
                expected = value > expected ? value : expected;
            }
        }
#ifdef REPAIRED
        if (results[i] != expected) return 1;
#endif
    }
    printf("%d\n", results[0]);
    return 0;
}
