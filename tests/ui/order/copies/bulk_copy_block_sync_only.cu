// verdict: race
// race: lines 27 and 37, variable s_tile, shared
// repaired: clean
// One thread copies a tile in bulk and tells a barrier how many bytes its phase has to wait for. The block meets at
// __syncthreads(), which waits for threads and not for the copy.
// Repaired: every thread waits for the phase.
#include <cstdio>
#include <utility>
#include <vector>
#include <cuda/barrier>
#include <cuda_runtime.h>

constexpr int threads = 64;
using Barrier = cuda::barrier<cuda::thread_scope_block>;

__global__ void twice(const int* in, int* out)
{
    alignas(16) __shared__ int s_tile[threads];
    __shared__ Barrier full;
    const int t = threadIdx.x, first = blockIdx.x * threads;
    if (t == 0) {
        init(&full, threads);
    }
    __syncthreads();
    Barrier::arrival_token token;
    if (t == 0) {
        cuda::device::memcpy_async_tx(s_tile, in + first, cuda::aligned_size_t<16>(sizeof(s_tile)), full);
        token = cuda::device::barrier_arrive_tx(full, 1, sizeof(s_tile));
    } else {
        token = full.arrive();
    }
#ifdef REPAIRED
    full.wait(std::move(token));
#else
    __syncthreads();
#endif
    out[first + t] = 2 * s_tile[t];
}

int main()
{
    const int blocks = 2, n = blocks * threads;
    std::vector<int> in(n), out(n);
    for (int i = 0; i < n; i++) {
        in[i] = 3 * i + 1;
    }
    int *d_in, *d_out;
    cudaMalloc(&d_in, n * sizeof(int));
    cudaMalloc(&d_out, n * sizeof(int));
    cudaMemcpy(d_in, in.data(), n * sizeof(int), cudaMemcpyHostToDevice);
    twice<<<blocks, threads>>>(d_in, d_out);
    cudaMemcpy(out.data(), d_out, n * sizeof(int), cudaMemcpyDeviceToHost);
    cudaFree(d_in);
    cudaFree(d_out);
    bool correct = true;
    for (int i = 0; i < n; i++) {
        correct = correct && out[i] == 2 * in[i];
    }
#ifdef REPAIRED
    return correct ? 0 : 1;
#else
    printf("%s\n", correct ? "correct" : "wrong");
    return 0;
#endif
}
