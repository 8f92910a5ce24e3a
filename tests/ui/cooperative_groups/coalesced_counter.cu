// verdict: race
// race: lines 24 and 28, variable s_kept, shared
// repaired: clean
// Stream compaction with a counter that coalesced lanes share. Forming the group orders
// nothing, and the block's barrier before the copy is missing.
// Repaired: the barrier is added.
#include <cooperative_groups.h>
#include <cstdio>
#include <cuda_runtime.h>

namespace cg = cooperative_groups;

__global__ void compact(const int* in, int* out, int* count)
{
    __shared__ int s_kept[128];
    const int t = threadIdx.x;
    const int value = in[blockIdx.x * blockDim.x + t];
    if (value % 3 == 0) {
        cg::coalesced_group active = cg::coalesced_threads();
        if (active.thread_rank() == 0) {
            atomicAdd(count, static_cast<int>(active.size()));
        }
    }
    s_kept[t] = value % 3 == 0 ? value : -1;
#ifdef REPAIRED
    __syncthreads();
#endif
    out[blockIdx.x * blockDim.x + t] = s_kept[127 - t];
}

int main()
{
    const int n = 4 * 128;
    int *in, *out, *count;
    cudaMallocManaged(&in, n * sizeof(int));
    cudaMallocManaged(&out, n * sizeof(int));
    cudaMallocManaged(&count, sizeof(int));
    for (int i = 0; i < n; i++) {
        in[i] = i;
    }
    *count = 0;
    compact<<<4, 128>>>(in, out, count);
    cudaDeviceSynchronize();
    std::printf("kept %d\n", *count);
    return *count == 171 ? 0 : 1;
}
