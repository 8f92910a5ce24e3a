// verdict: race
// race: lines 20 and 23, variable out, global
// repaired: clean
// Scales an array four elements at a time, and the rest one by one. The number of vectors is
// rounded up, so that the last of them reaches into the rest.
// Repaired: the number of vectors is rounded down.
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

__global__ void scale(float* out, const float* in, float factor, int n)
{
#ifdef REPAIRED
    const int i = blockIdx.x * blockDim.x + threadIdx.x, vectors = n / 4, rest = n / 4 * 4;
#else
    const int i = blockIdx.x * blockDim.x + threadIdx.x, vectors = (n + 3) / 4, rest = n / 4 * 4;
#endif
    if (i < vectors) {
        const float4 v = reinterpret_cast<const float4*>(in)[i];
        reinterpret_cast<float4*>(out)[i] = make_float4(factor * v.x, factor * v.y, factor * v.z, factor * v.w);
    }
    if (i >= 64 && i - 64 < n - rest) {
        out[rest + i - 64] = factor * in[rest + i - 64];
    }
}

int main()
{
    const int n = 255, padded = 256;
    std::vector<float> in(padded, 2.0f);
    float *d_in, *d_out;
    cudaMalloc(&d_in, padded * sizeof(float));
    cudaMalloc(&d_out, padded * sizeof(float));
    cudaMemcpy(d_in, in.data(), padded * sizeof(float), cudaMemcpyHostToDevice);
    scale<<<1, 128>>>(d_out, d_in, 0.5f, n);
    cudaDeviceSynchronize();
    cudaFree(d_in);
    cudaFree(d_out);
    printf("scaled %d\n", n);
    return 0;
}
