// verdict: race
// race: lines 38 and 52, variable copy, shared
// repaired: clean
// Each thread copies one element in the background and waits for its own copy, but then
// reads the copy of another thread.
// Repaired: tiles are copied by the block together, by each thread for itself, and by a pipeline;
// each copy is waited for before another thread reads its part.
#include <cstdio>
#include <vector>
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cuda/pipeline>
#include <cuda_pipeline_primitives.h>
#include <cuda_runtime.h>

namespace cg = cooperative_groups;
constexpr int threads = 64;

__global__ void reverse(const int* in, int* out, int tiles)
{
#ifdef REPAIRED
    __shared__ int tile[threads];
#endif
    __shared__ int copy[threads];
#ifdef REPAIRED
    __shared__ alignas(16) int third[threads];
#endif
    const auto block = cg::this_thread_block();
    const int t = threadIdx.x;
#ifdef REPAIRED
    auto pipe = cuda::make_pipeline();
#endif
    for (int i = 0; i < tiles; i++) {
        const int* from = in + i * threads;
#ifdef REPAIRED
        cg::memcpy_async(block, tile, from, sizeof tile);
#endif
        __pipeline_memcpy_async(&copy[t], &from[t], sizeof(int));
        __pipeline_commit();
#ifdef REPAIRED
        pipe.producer_acquire();
        cuda::memcpy_async(&third[t], &from[t], sizeof(int), pipe);
        pipe.producer_commit();
        pipe.consumer_wait();
#endif
        __pipeline_wait_prior(0);
#ifdef REPAIRED
        cg::wait(block);
        out[i * threads + t] = tile[threads - 1 - t] + copy[threads - 1 - t] + third[threads - 1 - t];
        pipe.consumer_release();
#else
        out[i * threads + t] = copy[threads - 1 - t];
#endif
        block.sync();
    }
}

int main()
{
    const int tiles = 3, n = tiles * threads;
    std::vector<int> in(n), out(n);
    for (int i = 0; i < n; i++) in[i] = i * 7;
    int *d_in, *d_out;
    cudaMalloc(&d_in, n * sizeof(int));
    cudaMalloc(&d_out, n * sizeof(int));
    cudaMemcpy(d_in, in.data(), n * sizeof(int), cudaMemcpyHostToDevice);
    reverse<<<1, threads>>>(d_in, d_out, tiles);
    cudaMemcpy(out.data(), d_out, n * sizeof(int), cudaMemcpyDeviceToHost);
    cudaFree(d_in);
    cudaFree(d_out);
#ifdef REPAIRED
    for (int i = 0; i < n; i++) {
        if (out[i] != 3 * in[i / threads * threads + threads - 1 - i % threads]) {
            fprintf(stderr, "wrong element %d\n", i);
            return 1;
        }
    }
#endif
    printf("reversed %d tiles\n", tiles);
    return 0;
}
