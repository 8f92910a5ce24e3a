// verdict: race
// race: lines 26 and 38, variable passed, shared
// repaired: clean
// nvcc: -arch=sm_80
// Two pairs of warps pass values on: in each pair the first warp arrives at the pair's barrier, and the second one
// waits there. The first warp arrives before it has written.
// Repaired: it writes first. The barriers have different numbers, so the pairs do not meet.
#include <cstdio>
#include <cuda_runtime.h>

__global__ void pass_on(int* out)
{
    __shared__ int passed[2][32];
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32, pair = warp / 2;
    int votes = 0;
    asm volatile("{ .reg .pred p; setp.lt.u32 p, %1, 3; bar.red.popc.u32 %0, 0, p; }" : "=r"(votes) : "r"(lane));
    if (warp % 2 == 0) {
#ifdef REPAIRED
        passed[pair][lane] = 10 * pair + lane;
        asm volatile("bar.arrive %0, 64;" : : "r"(pair + 1) : "memory");
#else
        asm volatile("bar.arrive %0, 64;" : : "r"(pair + 1) : "memory");



        passed[pair][lane] = 10 * pair + lane;
#endif
    } else {
        if (pair == 0) {
            asm volatile("bar.sync 1, 64;" : : : "memory");
        } else {
            asm volatile("barrier.cta.sync.aligned %0, %1;" : : "r"(2), "r"(64) : "memory");
        }




        out[pair * 32 + lane] = passed[pair][31 - lane] + votes;
    }
}

int main()
{
    int* out;
    cudaMallocManaged(&out, 64 * sizeof(int));
    pass_on<<<1, 128>>>(out);
    cudaDeviceSynchronize();
#ifdef REPAIRED
    for (int i = 0; i < 64; i++) {
        if (out[i] != i / 32 * 10 + 31 - i % 32 + 12) {
            fprintf(stderr, "wrong element %d: %d\n", i, out[i]);
            return 1;
        }
    }
#endif
    return 0;
}
