// verdict: race
// race: lines 37 and 42, variable stage, shared
// repaired: clean
// nvcc: -arch=sm_80
// Two warps load and arrive at the named barrier `full`; two others compute and wait there. The author counted
// only those who wait: the barrier of 64 threads completes when two warps of the four are there, whichever they
// are, so a warp may read before the loads.
// Repaired: the count is that of all who arrive or wait.
#include <cstdio>
#include <cuda_runtime.h>

enum NamedBarrier : unsigned { full = 1 };

constexpr int loaders = 64, workers = 64;
#ifdef REPAIRED
constexpr int participants = loaders + workers;
#else
constexpr int participants = workers;
#endif

__device__ __forceinline__ void named_barrier_sync(unsigned id, int threads)
{
    asm volatile("bar.sync %0, %1;" : : "r"(id), "r"(threads) : "memory");
}
template <int threads>
__device__ __forceinline__ void named_barrier_arrive(unsigned id)
{
    asm volatile("bar.arrive %0, %1;" : : "r"(id), "n"(threads) : "memory");
}

__global__ void scale(const float* in, float* out, float factor)
{
    __shared__ float stage[loaders];
    if (threadIdx.x < loaders) {
        float value;
        asm volatile("ld.global.nc.L1::no_allocate.f32 %0, [%1];" : "=f"(value) : "l"(in + threadIdx.x));
        stage[threadIdx.x] = value;
        named_barrier_arrive<participants>(full);
    } else {
        const int t = threadIdx.x - loaders;
        named_barrier_sync(full, participants);
        out[t] = factor * stage[workers - 1 - t];
    }
}

int main()
{
    float *in, *out;
    cudaMallocManaged(&in, loaders * sizeof *in);
    cudaMallocManaged(&out, workers * sizeof *out);
    for (int i = 0; i < loaders; i++) in[i] = static_cast<float>(i);
    scale<<<1, loaders + workers>>>(in, out, 3);
    cudaDeviceSynchronize();
#ifdef REPAIRED
    for (int i = 0; i < workers; i++) {
        if (out[i] != 3.0f * static_cast<float>(workers - 1 - i)) return printf("%d: %g\n", i, out[i]), 1;
    }
#endif
    return 0;
}
