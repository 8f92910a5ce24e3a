// verdict: race
// race: lines 16 and 25, variable s_header, shared
// repaired: clean
// Thread 0 copies a header, and the other threads call __pipeline_wait_prior(0). That waits for the
// caller's own copies; thread 0, whose copy it is, goes to __syncthreads() without waiting, and the
// barrier does not order copies that are still on their way.
// Repaired: every thread waits before the barrier.
#include <cuda_pipeline_primitives.h>
#include <cuda_runtime.h>

__global__ void header(const int4* in, int* out)
{
    __shared__ int4 s_header;
    const int t = threadIdx.x;
    if (t == 0) {
        __pipeline_memcpy_async(&s_header, &in[blockIdx.x], sizeof(int4));
        __pipeline_commit();
    }
#ifdef REPAIRED
    __pipeline_wait_prior(0);
#else
    if (t != 0) __pipeline_wait_prior(0);
#endif
    __syncthreads();
    out[blockIdx.x * 64 + t] = s_header.z + t;
}

int main()
{
    int4* in;
    int* out;
    cudaMallocManaged(&in, 3 * sizeof(int4));
    cudaMallocManaged(&out, 3 * 64 * sizeof(int));
    for (int i = 0; i < 3; i++) in[i] = make_int4(1, 2, 100 * i, 4);
    header<<<3, 64>>>(in, out);
    cudaDeviceSynchronize();
#ifdef REPAIRED
    for (int i = 0; i < 3 * 64; i++) {
        if (out[i] != 100 * (i / 64) + i % 64) return 1;
    }
#endif
    return 0;
}
