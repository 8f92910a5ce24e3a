// verdict: race
// race: lines 14 and 22, variable s_own, shared
// repaired: clean
// __pipeline_wait_prior() waits for committed batches only. The racy form commits after the wait,
// so the copy belongs to no batch that the wait covers.
// Repaired: the copy is committed first.
#include <cuda_pipeline_primitives.h>
#include <cuda_runtime.h>

__global__ void own_element(const double* in, double* out)
{
    __shared__ double s_own[64];
    const int t = threadIdx.x;
    __pipeline_memcpy_async(&s_own[t], &in[t], sizeof(double));
#ifdef REPAIRED
    __pipeline_commit();
#endif
    __pipeline_wait_prior(0);
#ifndef REPAIRED
    __pipeline_commit();
#endif
    out[t] = 0.5 * s_own[t];
}

int main()
{
    double *in, *out;
    cudaMallocManaged(&in, 64 * sizeof(double));
    cudaMallocManaged(&out, 64 * sizeof(double));
    for (int i = 0; i < 64; i++) in[i] = i;
    own_element<<<1, 64>>>(in, out);
    cudaDeviceSynchronize();
#ifdef REPAIRED
    for (int i = 0; i < 64; i++) {
        if (out[i] != 0.5 * i) return 1;
    }
#endif
    return 0;
}
