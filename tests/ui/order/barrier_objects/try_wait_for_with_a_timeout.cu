// verdict: race
// race: lines 19 and 24, variable s_answer, shared
// repaired: clean
// A thread polls the barrier by try_wait_for(), which gives up after a time. Only a return of true
// says that the phase is over; the racy form reads the answer before the first successful poll.
// Repaired: the answer is read after the loop, when try_wait_for() has returned true.
#include <cuda/barrier>
#include <cuda/std/chrono>
#include <cuda/std/utility>
#include <cuda_runtime.h>

__global__ void ask(int* out)
{
    __shared__ cuda::barrier<cuda::thread_scope_block> bar;
    __shared__ int s_answer;
    if (threadIdx.x == 0) init(&bar, 64);
    __syncthreads();
    if (threadIdx.x == 32) {
        s_answer = 42;
        (void)bar.arrive();
    } else {
        auto token = bar.arrive();
#ifndef REPAIRED
        out[threadIdx.x] = s_answer;
#endif
        while (!bar.try_wait_for(cuda::std::move(token), cuda::std::chrono::nanoseconds(200))) {
        }
#ifdef REPAIRED
        out[threadIdx.x] = s_answer;
#endif
    }
}

int main()
{
    int* out;
    cudaMallocManaged(&out, 64 * sizeof(int));
    ask<<<1, 64>>>(out);
    cudaDeviceSynchronize();
#ifdef REPAIRED
    for (int i = 0; i < 64; i++) {
        if (i != 32 && out[i] != 42) return 1;
    }
#endif
    return 0;
}
