// verdict: race
// race: lines 28 and 33, variable codes, shared
// repaired: clean
// Each block quantises a row to numbers of 8 bits in shared memory, four to a vector, and multiplies each of
// them by its neighbour's scale. The vectors of other warps may not be written yet.
// Repaired: the block waits for all vectors.
#include <cstdio>
#include <cuda_fp4.h>
#include <cuda_fp8.h>
#include <cuda_runtime.h>

constexpr int vectors = 64;

__device__ float decoded(__nv_fp8x4_e4m3 vector)
{
    const float4 four = float4(vector);
    return four.x + four.y + four.z + four.w;
}

__global__ void quantise(const float4* in, __nv_fp4_e2m1* signs, float* out)
{
    __shared__ __nv_fp8x4_e4m3 codes[vectors];
    __shared__ __nv_fp8_e8m0 scales[vectors];
    const int t = threadIdx.x;
    const int i = blockIdx.x * vectors + t;
    const float4 value = in[i];
    scales[t] = __nv_fp8_e8m0(value.x);
    codes[t] = __nv_fp8x4_e4m3(value);
    signs[i] = __nv_fp4_e2m1(value.w);
#ifdef REPAIRED
    __syncthreads();
#endif
    out[i] = decoded(codes[(t + 1) % vectors]) * float(scales[t]) + float(signs[i]);
}

int main()
{
    constexpr int n = 2 * vectors;
    float4 in[n];
    for (int i = 0; i < n; i++) in[i] = make_float4(i % vectors % 8 + 1, 0.5f, -1, 2);
    float4* d_in;
    __nv_fp4_e2m1* d_signs;
    float* d_out;
    cudaMalloc(&d_in, sizeof in);
    cudaMalloc(&d_signs, n * sizeof *d_signs);
    cudaMalloc(&d_out, n * sizeof(float));
    cudaMemcpy(d_in, in, sizeof in, cudaMemcpyHostToDevice);
    quantise<<<2, vectors>>>(d_in, d_signs, d_out);
    float out[n];
    cudaMemcpy(out, d_out, sizeof out, cudaMemcpyDeviceToHost);
    cudaFree(d_in);
    cudaFree(d_signs);
    cudaFree(d_out);
#ifdef REPAIRED
    for (int i = 0; i < n; i++) {
        // The scale is the next power of two.
        const int own = i % 8 + 1, next = (i + 1) % 8 + 1;
        const float scale = own > 4 ? 8 : own > 2 ? 4 : own;
        if (out[i] != (next + 1.5f) * scale + 2) return 1;
    }
#endif
    printf("quantised %d vectors\n", n);
    return 0;
}
