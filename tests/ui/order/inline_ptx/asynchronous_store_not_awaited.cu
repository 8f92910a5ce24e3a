// verdict: race
// race: lines 28 and 33, variable received, shared
// repaired: clean
// nvcc: -arch=sm_90
// A block stores a number to the other block of its cluster by st.async, and both meet at the cluster's barrier. The
// barrier does not wait for the store: its mbarrier object would show when it is done.
// Repaired: the reader waits for the bytes before it reads.
#include <cstdio>
#include <cuda_runtime.h>

__device__ unsigned in_shared(const void* object) { return static_cast<unsigned>(__cvta_generic_to_shared(object)); }
__device__ void meet() { asm volatile("barrier.cluster.arrive.release.aligned; barrier.cluster.wait.acquire.aligned;" : : : "memory"); }

__global__ void __cluster_dims__(2) send(unsigned* out)
{
    __shared__ unsigned received;
    __shared__ alignas(8) unsigned long long object;
    const unsigned barrier = in_shared(&object);
    unsigned theirs, there;
    if (threadIdx.x == 0) {
        asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" : : "r"(barrier) : "memory");
        asm volatile("mbarrier.arrive.expect_tx.release.cta.shared::cta.b64 _, [%0], 4;" : : "r"(barrier) : "memory");
    }
    meet();
    asm("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(theirs) : "r"(barrier), "r"(1));
    asm("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(there) : "r"(in_shared(&received)), "r"(1));
    if (blockIdx.x == 0 && threadIdx.x == 0) {
        asm volatile("st.async.shared::cluster.mbarrier::complete_tx::bytes.u32 [%0], %1, [%2];" : : "r"(there), "r"(7), "r"(theirs) : "memory");
    }
    meet();
    if (blockIdx.x == 1 && threadIdx.x == 0) {
#ifndef REPAIRED
        *out = received;
#endif
        unsigned over = 0;
        while (over == 0) {
            asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 p, [%1], 0; selp.u32 %0, 1, 0, p; }"
                         : "=r"(over) : "r"(barrier) : "memory");
        }
#ifdef REPAIRED
        *out = received;
#endif
    }
}

int main()
{
    unsigned* out;
    cudaMallocManaged(&out, sizeof *out);
    send<<<2, 32>>>(out);
    cudaDeviceSynchronize();
#ifdef REPAIRED
    if (*out != 7) return printf("%u\n", *out), 1;
#endif
    return 0;
}
