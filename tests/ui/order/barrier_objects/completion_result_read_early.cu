// verdict: race
// race: lines 14 and 30, variable s_round, shared
// repaired: clean
// The completion function advances a round counter. Its effects are visible after wait(), because
// the completion step happens before the return of wait; a thread that has only arrived may read
// the counter while the last one to arrive is changing it.
// Repaired: the counter is read after the wait.
#include <cuda/barrier>
#include <cuda/std/utility>
#include <cuda_runtime.h>

struct NextRound {
    int* s_round;
    __device__ void operator()() const { *s_round += 1; }
};

__global__ void rounds(int* out)
{
    __shared__ cuda::barrier<cuda::thread_scope_block, NextRound> bar;
    __shared__ int s_round;
    if (threadIdx.x == 0) {
        s_round = 0;
        init(&bar, 32, NextRound{&s_round});
    }
    __syncthreads();
    int sum = 0;
    for (int i = 0; i < 3; i++) {
        auto token = bar.arrive();
#ifndef REPAIRED
        sum += s_round;
#endif
        bar.wait(cuda::std::move(token));
#ifdef REPAIRED
        sum += s_round;
#endif
    }
    out[threadIdx.x] = sum;
}

int main()
{
    int* out;
    cudaMallocManaged(&out, 32 * sizeof(int));
    rounds<<<1, 32>>>(out);
    cudaDeviceSynchronize();
#ifdef REPAIRED
    for (int i = 0; i < 32; i++) {
        if (out[i] != 1 + 2 + 3) return 1;
    }
#endif
    return 0;
}
