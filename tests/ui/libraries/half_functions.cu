// verdict: clean
// All functions of cuda_fp16.h and cuda_bf16.h, and the conversions of their types. Each thread has an element
// of its own, so the stores of all functions that store are ordered.
#include <cstdio>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>

template <class T>
__device__ void use(float& sum, T value)
{
    sum += float(value);
}
template <>
__device__ void use(float& sum, float2 value)
{
    sum += value.x + value.y;
}
template <>
__device__ void use(float& sum, __half2 value)
{
    sum += float(value.x) + float(value.y);
}
template <>
__device__ void use(float& sum, __nv_bfloat162 value)
{
    sum += float(value.x) + float(value.y);
}

// Functions of the same name for both types.
template <class H, class P>
__device__ float shared_names(H* one, P* two, float f)
{
    float sum = 0;
    const H a(f), b(2 * f), c(0.5f);
    const P p(a, b), q(b, c), r(c, a);
    use(sum, __habs(a)); use(sum, __hneg(a)); use(sum, hceil(a)); use(sum, hcos(a));
    use(sum, hexp(a)); use(sum, hexp10(a)); use(sum, hexp2(a)); use(sum, hfloor(a));
    use(sum, hlog(a)); use(sum, hlog10(a)); use(sum, hlog2(a)); use(sum, hrcp(a));
    use(sum, hrint(a)); use(sum, hrsqrt(a)); use(sum, hsin(a)); use(sum, hsqrt(a));
    use(sum, htanh(a)); use(sum, htanh_approx(a)); use(sum, htrunc(a)); use(sum, __ldca(one));
    use(sum, __ldcg(one)); use(sum, __ldcs(one)); use(sum, __ldcv(one)); use(sum, __ldg(one));
    use(sum, __ldlu(one)); use(sum, __habs2(p)); use(sum, __hisnan2(p)); use(sum, __hneg2(p));
    use(sum, __lowhigh2highlow(p)); use(sum, h2ceil(p)); use(sum, h2cos(p)); use(sum, h2exp(p));
    use(sum, h2exp10(p)); use(sum, h2exp2(p)); use(sum, h2floor(p)); use(sum, h2log(p));
    use(sum, h2log10(p)); use(sum, h2log2(p)); use(sum, h2rcp(p)); use(sum, h2rint(p));
    use(sum, h2rsqrt(p)); use(sum, h2sin(p)); use(sum, h2sqrt(p)); use(sum, h2tanh(p));
    use(sum, h2tanh_approx(p)); use(sum, h2trunc(p)); use(sum, __ldca(two)); use(sum, __ldcg(two));
    use(sum, __ldcs(two)); use(sum, __ldcv(two)); use(sum, __ldg(two)); use(sum, __ldlu(two));
    use(sum, __hisnan(a)); use(sum, __high2float(p)); use(sum, __low2float(p));
    use(sum, __hisinf(a)); use(sum, __hadd(a, b)); use(sum, __hadd_rn(a, b));
    use(sum, __hadd_sat(a, b)); use(sum, __hdiv(a, b)); use(sum, __hmax(a, b));
    use(sum, __hmax_nan(a, b)); use(sum, __hmin(a, b)); use(sum, __hmin_nan(a, b));
    use(sum, __hmul(a, b)); use(sum, __hmul_rn(a, b)); use(sum, __hmul_sat(a, b));
    use(sum, __hsub(a, b)); use(sum, __hsub_rn(a, b)); use(sum, __hsub_sat(a, b));
    use(sum, atomicAdd(one, a)); use(sum, __h2div(p, q)); use(sum, __hadd2(p, q));
    use(sum, __hadd2_rn(p, q)); use(sum, __hadd2_sat(p, q)); use(sum, __heq2(p, q));
    use(sum, __hequ2(p, q)); use(sum, __hge2(p, q)); use(sum, __hgeu2(p, q));
    use(sum, __hgt2(p, q)); use(sum, __hgtu2(p, q)); use(sum, __hle2(p, q));
    use(sum, __hleu2(p, q)); use(sum, __hlt2(p, q)); use(sum, __hltu2(p, q));
    use(sum, __hmax2(p, q)); use(sum, __hmax2_nan(p, q)); use(sum, __hmin2(p, q));
    use(sum, __hmin2_nan(p, q)); use(sum, __hmul2(p, q)); use(sum, __hmul2_rn(p, q));
    use(sum, __hmul2_sat(p, q)); use(sum, __hne2(p, q)); use(sum, __hneu2(p, q));
    use(sum, __hsub2(p, q)); use(sum, __hsub2_rn(p, q)); use(sum, __hsub2_sat(p, q));
    use(sum, atomicAdd(two, p)); use(sum, __heq(a, b)); use(sum, __hequ(a, b));
    use(sum, __hge(a, b)); use(sum, __hgeu(a, b)); use(sum, __hgt(a, b)); use(sum, __hgtu(a, b));
    use(sum, __hle(a, b)); use(sum, __hleu(a, b)); use(sum, __hlt(a, b)); use(sum, __hltu(a, b));
    use(sum, __hne(a, b)); use(sum, __hneu(a, b)); use(sum, __hbeq2(p, q));
    use(sum, __hbequ2(p, q)); use(sum, __hbge2(p, q)); use(sum, __hbgeu2(p, q));
    use(sum, __hbgt2(p, q)); use(sum, __hbgtu2(p, q)); use(sum, __hble2(p, q));
    use(sum, __hbleu2(p, q)); use(sum, __hblt2(p, q)); use(sum, __hbltu2(p, q));
    use(sum, __hbne2(p, q)); use(sum, __hbneu2(p, q)); use(sum, __heq2_mask(p, q));
    use(sum, __hequ2_mask(p, q)); use(sum, __hge2_mask(p, q)); use(sum, __hgeu2_mask(p, q));
    use(sum, __hgt2_mask(p, q)); use(sum, __hgtu2_mask(p, q)); use(sum, __hle2_mask(p, q));
    use(sum, __hleu2_mask(p, q)); use(sum, __hlt2_mask(p, q)); use(sum, __hltu2_mask(p, q));
    use(sum, __hne2_mask(p, q)); use(sum, __hneu2_mask(p, q)); __stcg(one, a); __stcs(one, a);
    __stwb(one, a); __stwt(one, a); __stcg(two, p); __stcs(two, p); __stwb(two, p); __stwt(two, p);
    use(sum, __hfma(a, b, c)); use(sum, __hfma_relu(a, b, c)); use(sum, __hfma_sat(a, b, c));
    use(sum, __hcmadd(p, q, r)); use(sum, __hfma2(p, q, r)); use(sum, __hfma2_relu(p, q, r));
    use(sum, __hfma2_sat(p, q, r)); use(sum, __shfl_sync(~0u, a, 1, 32));
    use(sum, __shfl_xor_sync(~0u, a, 1, 32)); use(sum, __shfl_down_sync(~0u, a, 1u, 1));
    use(sum, __shfl_up_sync(~0u, a, 1u, 1)); use(sum, __shfl_sync(~0u, p, 1, 32));
    use(sum, __shfl_xor_sync(~0u, p, 1, 32)); use(sum, __shfl_down_sync(~0u, p, 1u, 1));
    use(sum, __shfl_up_sync(~0u, p, 1u, 1));
    return sum;
}

// Those that the type's name distinguishes.
#define OWN_NAMES(function, H, P, half)                                                              \
__device__ float function(float f)                                                                   \
{                                                                                                    \
    float sum = 0;                                                                                   \
    const H a(f), b(2 * f);                                                                          \
    const P p(a, b), q(b, a);                                                                        \
    use(sum, __high2##half(p)); use(sum, __low2##half(p)); use(sum, __double2##half(double(f)));     \
    use(sum, __float2##half(f)); use(sum, __float2##half##_rd(f));                                   \
    use(sum, __float2##half##_rn(f)); use(sum, __float2##half##_ru(f));                              \
    use(sum, __float2##half##_rz(f)); use(sum, __int2##half##_rd(1));                                \
    use(sum, __int2##half##_rn(1)); use(sum, __int2##half##_ru(1));                                  \
    use(sum, __int2##half##_rz(1)); use(sum, __ll2##half##_rd(1ll));                                 \
    use(sum, __ll2##half##_rn(1ll)); use(sum, __ll2##half##_ru(1ll));                                \
    use(sum, __ll2##half##_rz(1ll)); use(sum, __short2##half##_rd(short(1)));                        \
    use(sum, __short2##half##_rn(short(1))); use(sum, __short2##half##_ru(short(1)));                \
    use(sum, __short2##half##_rz(short(1))); use(sum, __short_as_##half(short(1)));                  \
    use(sum, __uint2##half##_rd(~0u)); use(sum, __uint2##half##_rn(~0u));                            \
    use(sum, __uint2##half##_ru(~0u)); use(sum, __uint2##half##_rz(~0u));                            \
    use(sum, __ull2##half##_rd(1ull)); use(sum, __ull2##half##_rn(1ull));                            \
    use(sum, __ull2##half##_ru(1ull)); use(sum, __ull2##half##_rz(1ull));                            \
    use(sum, __ushort2##half##_rd((unsigned short)1));                                               \
    use(sum, __ushort2##half##_rn((unsigned short)1));                                               \
    use(sum, __ushort2##half##_ru((unsigned short)1));                                               \
    use(sum, __ushort2##half##_rz((unsigned short)1));                                               \
    use(sum, __ushort_as_##half((unsigned short)1)); use(sum, __##half##2##half##2(a));              \
    use(sum, __high2##half##2(p)); use(sum, __low2##half##2(p));                                     \
    use(sum, __float2##half##2_rn(f)); use(sum, __float22##half##2_rn(make_float2(f, f)));           \
    use(sum, __##half##2float(a)); use(sum, __##half##22float2(p));                                  \
    use(sum, __##half##2int_rd(a)); use(sum, __##half##2int_rn(a));                                  \
    use(sum, __##half##2int_ru(a)); use(sum, __##half##2int_rz(a));                                  \
    use(sum, __##half##2ll_rd(a)); use(sum, __##half##2ll_rn(a)); use(sum, __##half##2ll_ru(a));     \
    use(sum, __##half##2ll_rz(a)); use(sum, __##half##2short_rd(a));                                 \
    use(sum, __##half##2short_rn(a)); use(sum, __##half##2short_ru(a));                              \
    use(sum, __##half##2short_rz(a)); use(sum, __##half##_as_short(a));                              \
    use(sum, __##half##2char_rz(a)); use(sum, __##half##2uchar_rz(a));                               \
    use(sum, __##half##2uint_rd(a)); use(sum, __##half##2uint_rn(a));                                \
    use(sum, __##half##2uint_ru(a)); use(sum, __##half##2uint_rz(a));                                \
    use(sum, __##half##2ull_rd(a)); use(sum, __##half##2ull_rn(a));                                  \
    use(sum, __##half##2ull_ru(a)); use(sum, __##half##2ull_rz(a));                                  \
    use(sum, __##half##2ushort_rd(a)); use(sum, __##half##2ushort_rn(a));                            \
    use(sum, __##half##2ushort_ru(a)); use(sum, __##half##2ushort_rz(a));                            \
    use(sum, __##half##_as_ushort(a)); use(sum, __halves2##half##2(a, b));                           \
    use(sum, make_##half##2(a, b)); use(sum, __highs2##half##2(p, q));                               \
    use(sum, __lows2##half##2(p, q)); use(sum, __floats2##half##2_rn(f, f));                         \
    return sum;                                                                                      \
}
OWN_NAMES(half_names, __half, __half2, half)
OWN_NAMES(bfloat16_names, __nv_bfloat16, __nv_bfloat162, bfloat16)

// Conversions from and to all numbers, and operators.
template <class H, class P, class Raw, class Other>
__device__ float conversions(H* one, float f)
{
    H h = f;
    const char c = h;
    const signed char sc = h;
    const unsigned char uc = h;
    const short s = h;
    const unsigned short us = h;
    const int i = h;
    const unsigned u = h;
    const long l = h;
    const unsigned long ul = h;
    const long long ll = h;
    const unsigned long long ull = h;
    const bool yes = h;
    one[0] = c; one[0] = sc; one[0] = uc; one[0] = s; one[0] = us; one[0] = i; one[0] = u; one[0] = ll; one[0] = ull;
    one[0] = 1.5; one[0] = 1.5f; one[0] = 2; one[0] = H(l); one[0] = H(ul); one[0] = H(Other(f)); one[0] = H(yes);
    h = one[0] + H(1) * h - h / H(2);
    h += 1; h -= 1.0f; h *= H(2); h /= h; h++; --h;
    const Raw raw = h;
    volatile H changing;
    changing = raw;
    const Raw again = changing;
    h = again;
    P p(h, 1), q = {h, h};
    p += q; p = p * q - p / q; ++p; p--; p = -p;
    const bool less = h > H(0) && !(h == H(3)) && (p == q || p < q);
    return float(c + sc + uc + s + us + i) + u + l + ul + ll + ull + yes + less + float(p.x) + (float)h;
}

__global__ void evaluate(__half* halves, __half2* pairs, __nv_bfloat16* brains, __nv_bfloat162* brain_pairs, float* out)
{
    const int t = blockIdx.x * blockDim.x + threadIdx.x;
    const float f = 1 + t % 3;
    out[t] = shared_names(&halves[2 * t], &pairs[t], f) + half_names(f) + shared_names(&brains[2 * t], &brain_pairs[t], f) +
             bfloat16_names(f) + conversions<__half, __half2, __half_raw, __nv_bfloat16>(&halves[2 * t], f) +
             conversions<__nv_bfloat16, __nv_bfloat162, __nv_bfloat16_raw, __half>(&brains[2 * t], f);
}

int main()
{
    constexpr int n = 64;
    __half* halves;
    __half2* pairs;
    __nv_bfloat16* brains;
    __nv_bfloat162* brain_pairs;
    float* out;
    cudaMalloc(&halves, 2 * n * sizeof *halves);
    cudaMalloc(&pairs, n * sizeof *pairs);
    cudaMalloc(&brains, 2 * n * sizeof *brains);
    cudaMalloc(&brain_pairs, n * sizeof *brain_pairs);
    cudaMalloc(&out, n * sizeof(float));
    cudaMemset(halves, 0, 2 * n * sizeof *halves);
    cudaMemset(pairs, 0, n * sizeof *pairs);
    cudaMemset(brains, 0, 2 * n * sizeof *brains);
    cudaMemset(brain_pairs, 0, n * sizeof *brain_pairs);
    evaluate<<<2, 32>>>(halves, pairs, brains, brain_pairs, out);
    float result[n];
    cudaMemcpy(result, out, sizeof result, cudaMemcpyDeviceToHost);
    if (cudaGetLastError() != cudaSuccess) return 1;
    printf("evaluated %d elements\n", n);
    return 0;
}
