// verdict: race
// race: lines 18 and 24, variable s_block, shared
// repaired: clean
// cg::memcpy_async() returns before the copy is complete. block.sync() orders what the threads
// have done themselves; it does not wait for their asynchronous copies.
// Repaired: cg::wait(block), which waits for the copies and synchronises the group.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cuda_runtime.h>

namespace cg = cooperative_groups;

__global__ void transpose(const float* in, float* out)
{
    __shared__ float s_block[8 * 8];
    const auto block = cg::this_thread_block();
    const int t = threadIdx.x, base = blockIdx.x * 64;
    cg::memcpy_async(block, s_block, in + base, sizeof(float) * 64);
#ifdef REPAIRED
    cg::wait(block);
#else
    block.sync();
#endif
    out[base + t] = s_block[t % 8 * 8 + t / 8];
}

int main()
{
    float *in, *out;
    cudaMallocManaged(&in, 256 * sizeof(float));
    cudaMallocManaged(&out, 256 * sizeof(float));
    for (int i = 0; i < 256; i++) in[i] = static_cast<float>(i);
    transpose<<<4, 64>>>(in, out);
    cudaDeviceSynchronize();
#ifdef REPAIRED
    for (int i = 0; i < 256; i++) {
        const int t = i % 64;
        if (out[i] != static_cast<float>(i - t + t % 8 * 8 + t / 8)) return 1;
    }
#endif
    return 0;
}
