// verdict: race
// race: lines 23 and 40, variable message, global
// repaired: clean
// One block of a cluster writes a message, and sets a flag in the shared memory of the other one by an operation of
// cluster scope. The flag is relaxed, so that it publishes nothing.
// Repaired: the flag is set by a release and read by an acquire, both of cluster scope.
#include <cstdio>
#include <cooperative_groups.h>
#include <cuda_runtime.h>
namespace cg = cooperative_groups;

__global__ void __cluster_dims__(2, 1, 1) send(int* message, int* out)
{
    __shared__ int flag;
    auto cluster = cg::this_cluster();
    if (threadIdx.x == 0) {
        flag = 0;
    }
    cluster.sync();
    if (cluster.block_rank() == 0) {
        if (threadIdx.x == 0) {
            int* const there = cluster.map_shared_rank(&flag, 1);
            *message = 42;
#ifdef REPAIRED
            asm volatile("st.release.cluster.s32 [%0], 1;" ::"l"(there) : "memory");
#else
            asm volatile("st.relaxed.cluster.s32 [%0], 1;" ::"l"(there) : "memory");
#endif
        }
    } else if (threadIdx.x == 0) {
        int seen = 0;
        while (seen == 0) {
#ifdef REPAIRED
            asm volatile("ld.acquire.cluster.s32 %0, [%1];" : "=r"(seen) : "l"(&flag) : "memory");
#else
            asm volatile("ld.relaxed.cluster.s32 %0, [%1];" : "=r"(seen) : "l"(&flag) : "memory");
#endif
        }
        out[0] =
            *message;
    }
    cluster.sync();
}

int main()
{
    int *d_message, *d_out, out;
    cudaMalloc(&d_message, sizeof(int));
    cudaMalloc(&d_out, sizeof(int));
    send<<<2, 32>>>(d_message, d_out);
    cudaMemcpy(&out, d_out, sizeof(int), cudaMemcpyDeviceToHost);
    cudaFree(d_message);
    cudaFree(d_out);
#ifdef REPAIRED
    return out == 42 ? 0 : 1;
#else
    printf("%d\n", out);
    return 0;
#endif
}
