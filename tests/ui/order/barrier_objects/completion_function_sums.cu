// verdict: race
// race: lines 17 and 32, variable s_part, shared
// repaired: clean
// The completion function of a barrier runs once per phase, after all arrivals and before any
// wait returns (libcu++, as std::barrier). It may read what was stored before the arrivals. The
// racy form clears a part between arrival and wait, which the completion function may be reading.
// Repaired: the part is cleared after the wait.
#include <cuda/barrier>
#include <cuda/std/utility>
#include <cuda_runtime.h>

struct AddUp {
    int *s_part, *total;
    __device__ void operator()() const
    {
        int sum = 0;
        for (int i = 0; i < 64; i++) sum += s_part[i];
        *total = sum;
    }
};

__global__ void phases(int* out)
{
    __shared__ cuda::barrier<cuda::thread_scope_block, AddUp> bar;
    __shared__ int s_part[64], s_total;
    const int t = threadIdx.x;
    if (t == 0) init(&bar, 64, AddUp{s_part, &s_total});
    __syncthreads();
    s_part[t] = t + 1;
    auto token = bar.arrive();
#ifndef REPAIRED
    s_part[t] = 0;
#endif
    bar.wait(cuda::std::move(token));
#ifdef REPAIRED
    s_part[t] = 0;
#endif
    out[t] = s_total + t;
}

int main()
{
    int* out;
    cudaMallocManaged(&out, 64 * sizeof(int));
    phases<<<1, 64>>>(out);
    cudaDeviceSynchronize();
#ifdef REPAIRED
    for (int i = 0; i < 64; i++) {
        if (out[i] != 65 * 32 + i) return 1;
    }
#endif
    return 0;
}
