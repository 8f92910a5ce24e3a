// verdict: race
// race: lines 26 and 30, variable table, global
// repaired: clean
// Blocks build a table and count a latch of device scope down; the last block waits for the latch.
// count_down() is a release and wait() an acquire (libcu++, as std::latch): what comes after
// count_down() is not ordered before the return of wait().
// Repaired: threads count down after their store.
#include <cuda/latch>
#include <cuda_runtime.h>
#include <new>

using Latch = cuda::latch<cuda::thread_scope_device>;

__device__ int table[3 * 32];

__global__ void build_and_use(Latch* built, int* out)
{
    const int t = threadIdx.x;
    if (blockIdx.x < 3) {
        const int i = blockIdx.x * 32 + t;
#ifdef REPAIRED
        table[i] = i * i;
        built->count_down();
#else
        built->count_down();
        table[i] = i * i;
#endif
    } else {
        built->wait();
        out[t] = table[t] + table[t + 64];
    }
}

int main()
{
    Latch* built;
    cudaMallocManaged(&built, sizeof *built);
    new (built) Latch(3 * 32);
    int* out;
    cudaMallocManaged(&out, 32 * sizeof(int));
    build_and_use<<<4, 32>>>(built, out);
    cudaDeviceSynchronize();
#ifdef REPAIRED
    for (int i = 0; i < 32; i++) {
        if (out[i] != i * i + (i + 64) * (i + 64)) return 1;
    }
#endif
    return 0;
}
