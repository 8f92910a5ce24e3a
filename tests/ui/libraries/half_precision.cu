// verdict: race
// race: lines 22 and 27, variable s_sum, shared
// repaired: clean
// Half precision and brain floats: conversions, pairs, intrinsics, shuffles and atomics.
// The partial sums of warps are read without a barrier after they are written.
// Repaired: a barrier separates writing the partial sums of warps from reading them.
#include <cstdio>
#include <vector>
#include <cuda_bf16.h>
#include <cuda_fp16.h>

__global__ void dot(const __half2* a, const __half2* b, __half* out, __nv_bfloat16* largest, int n)
{
    __shared__ __half s_sum[4];
    __half2 sum = __float2half2_rn(0.0f);
    for (int i = threadIdx.x; i < n; i += blockDim.x) sum = __hfma2(a[i], b[i], sum);
    __half total = __hadd(__low2half(sum), __high2half(sum));
    for (int offset = 16; offset > 0; offset /= 2) {
        total += __shfl_xor_sync(0xffffffff, total, offset);
    }
    if (threadIdx.x % 32 == 0) {
        s_sum[threadIdx.x / 32] = total;
    }
#ifdef REPAIRED
    __syncthreads();
#endif
    const __half first = s_sum[0];
    atomicAdd(out, __hdiv(first, __int2half_rn(blockDim.x)));
    if (threadIdx.x == 0) {
        largest[0] = __hmax(__float2bfloat16(__half2float(first)), __nv_bfloat16(0.5f));
        if (__hisnan(first) || first > __half(60000.0f)) out[0] = hsqrt(__float2half(-1.0f));
    }
}

int main()
{
    const int n = 256;
    std::vector<__half2> ones(n, __floats2half2_rn(1.0f, 0.5f));
    __half2* d;
    __half* out;
    __nv_bfloat16* largest;
    cudaMalloc(&d, n * sizeof(__half2));
    cudaMalloc(&out, sizeof(__half));
    cudaMalloc(&largest, sizeof(__nv_bfloat16));
    cudaMemcpy(d, ones.data(), n * sizeof(__half2), cudaMemcpyHostToDevice);
    cudaMemset(out, 0, sizeof(__half));
    dot<<<1, 128>>>(d, d, out, largest, n);
    __half result;
    __nv_bfloat16 top;
    cudaMemcpy(&result, out, sizeof result, cudaMemcpyDeviceToHost);
    cudaMemcpy(&top, largest, sizeof top, cudaMemcpyDeviceToHost);
    printf("%.2f %.2f\n", __half2float(result), __bfloat162float(top));
    cudaFree(d);
    cudaFree(out);
    cudaFree(largest);
    return 0;
}
