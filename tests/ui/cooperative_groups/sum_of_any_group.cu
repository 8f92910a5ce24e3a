// verdict: race
// race: lines 19 and 19, variable s_values, shared
// repaired: clean
// A function sums up the values of a group of any type. In its loop, a thread adds what another one
// wrote in the iteration before, without a barrier of the group.
// Repaired: the group synchronises at the end of the loop.
#include <cooperative_groups.h>
#include <cuda_runtime.h>

namespace cg = cooperative_groups;

template <class Group>
__device__ int sum_of(const Group& group, int* s_values, int value)
{
    const unsigned rank = group.thread_rank();
    s_values[rank] = value;
    group.sync();
    for (unsigned stride = group.size() / 2; stride > 0; stride /= 2) {
        if (rank < stride) s_values[rank] += s_values[rank + stride];
#ifdef REPAIRED
        group.sync();
#endif
    }
    group.sync();
    return s_values[0];
}

__global__ void sum_blocks(const int* in, int* out)
{
    __shared__ int s_values[64];
    const cg::thread_block block = cg::this_thread_block();
    const int sum = sum_of(block, s_values, in[blockIdx.x * 64 + threadIdx.x]);
    if (threadIdx.x == 0) out[blockIdx.x] = sum;
}

int main()
{
    int *in, *out;
    cudaMallocManaged(&in, 128 * sizeof(int));
    cudaMallocManaged(&out, 2 * sizeof(int));
    for (int i = 0; i < 128; i++) in[i] = i;
    sum_blocks<<<2, 64>>>(in, out);
    cudaDeviceSynchronize();
#ifdef REPAIRED
    if (out[0] != 2016 || out[1] != 6112) return 1;
#endif
    return 0;
}
