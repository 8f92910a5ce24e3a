// verdict: race
// race: lines 15 and 18, variable s_pixel, shared
// repaired: clean
// A thread copies a pixel and stores over the alpha channel before the copy is known to be complete.
// Both write these four bytes, and until the wait the copy is unordered with the thread's own
// stores (PTX ISA: an asynchronous operation is as if by another thread).
// Repaired: the store follows __pipeline_wait_prior(0).
#include <cuda_pipeline_primitives.h>
#include <cuda_runtime.h>

__global__ void opaque(const float4* in, float4* out)
{
    __shared__ float4 s_pixel[32];
    const int t = threadIdx.x;
    __pipeline_memcpy_async(&s_pixel[t], &in[t], sizeof(float4));
    __pipeline_commit();
#ifndef REPAIRED
    s_pixel[t].w = 1.0f;
#endif
    __pipeline_wait_prior(0);
#ifdef REPAIRED
    s_pixel[t].w = 1.0f;
#endif
    __syncthreads();
    out[t] = s_pixel[31 - t];
}

int main()
{
    float4 *in, *out;
    cudaMallocManaged(&in, 32 * sizeof(float4));
    cudaMallocManaged(&out, 32 * sizeof(float4));
    for (int i = 0; i < 32; i++) in[i] = make_float4(i, 2.0f * i, 3.0f * i, 0.5f);
    opaque<<<1, 32>>>(in, out);
    cudaDeviceSynchronize();
#ifdef REPAIRED
    for (int i = 0; i < 32; i++) {
        if (out[i].x != in[31 - i].x || out[i].z != in[31 - i].z || out[i].w != 1.0f) return 1;
    }
#endif
    return 0;
}
