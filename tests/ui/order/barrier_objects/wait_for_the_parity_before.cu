// verdict: race
// race: lines 19 and 28, variable s_letter, shared
// repaired: clean
// wait_parity(p) returns when the phase with parity p is over. A new barrier is in phase 0, and the
// phase before it, of parity 1, counts as over (PTX ISA, mbarrier.try_wait.parity): waiting for
// parity 1 returns at once, so nothing orders the stores before the load.
// Repaired: the reader waits for the end of phase 0, which includes the writers' arrivals.
#include <cuda/barrier>
#include <cuda_runtime.h>

__global__ void letters(char* out)
{
    __shared__ cuda::barrier<cuda::thread_scope_block> bar;
    __shared__ char s_letter[63 * 4];
    const int t = threadIdx.x;
    if (t == 63) init(&bar, 64);
    __syncthreads();
    if (t < 63) {
        s_letter[4 * t] = static_cast<char>('a' + t % 26);
        (void)bar.arrive();
    } else {
#ifdef REPAIRED
        (void)bar.arrive();
        bar.wait_parity(false);
#else
        bar.wait_parity(true);
#endif
        for (int i = 0; i < 63; i++) out[i] = s_letter[4 * i];
#ifndef REPAIRED
        (void)bar.arrive();
#endif
    }
}

int main()
{
    char* out;
    cudaMallocManaged(&out, 63);
    letters<<<1, 64>>>(out);
    cudaDeviceSynchronize();
#ifdef REPAIRED
    for (int i = 0; i < 63; i++) {
        if (out[i] != static_cast<char>('a' + i % 26)) return 1;
    }
#endif
    return 0;
}
