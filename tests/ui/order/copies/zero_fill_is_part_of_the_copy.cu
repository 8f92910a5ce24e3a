// verdict: race
// race: lines 15 and 20, variable s_quad, shared
// repaired: clean
// __pipeline_memcpy_async() with a fourth argument fills the end of the destination with zeros. The
// zeros are written by the asynchronous operation too, so the thread that issued it may not
// read even these before it has waited.
// Repaired: it waits first.
#include <cuda_pipeline_primitives.h>
#include <cuda_runtime.h>

__global__ void padded(const int4* in, int* out)
{
    __shared__ int4 s_quad[32];
    const int t = threadIdx.x;
    __pipeline_memcpy_async(&s_quad[t], &in[t], sizeof(int4), 8);
    __pipeline_commit();
#ifdef REPAIRED
    __pipeline_wait_prior(0);
#endif
    const int last = s_quad[t].w;
    __pipeline_wait_prior(0);
    out[t] = s_quad[t].y + 1000 * last;
}

int main()
{
    int4* in;
    int* out;
    cudaMallocManaged(&in, 32 * sizeof(int4));
    cudaMallocManaged(&out, 32 * sizeof(int));
    for (int i = 0; i < 32; i++) in[i] = make_int4(i, i + 1, i + 2, i + 3);
    padded<<<1, 32>>>(in, out);
    cudaDeviceSynchronize();
#ifdef REPAIRED
    for (int i = 0; i < 32; i++) {
        if (out[i] != i + 1) return 1;
    }
#endif
    return 0;
}
