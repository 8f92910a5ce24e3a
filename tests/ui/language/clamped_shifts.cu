// verdict: race
// race: lines 26 and 30, variable scratch, shared
// repaired: clean
// Shift counts beyond the width of a number, which leave nothing on a GPU. The padding of this macro lacks
// parentheses, as in many scans, and shifts by more than 32 for all but a few threads: taken modulo 32, the
// counts lead to elements of other threads, and behind the array.
// Repaired: a barrier before the read.
#include <cstdio>

#define LOG_BANKS 4
#define PADDING(n) ((n) >> LOG_BANKS + (n) >> (2 * LOG_BANKS))
#define SHIFTED(value, count) value << count

extern __shared__ unsigned whole[];

template <int Bits>
__global__ void scatter(unsigned* out, const unsigned* counts)
{
    __shared__ unsigned scratch[130];
    extern __shared__ unsigned long long wide[];
    unsigned t = threadIdx.x;
    unsigned* raw = (unsigned*)&wide;
    unsigned* same = reinterpret_cast<unsigned*>(&whole);
    raw[t] = ~0u << counts[0];
    int sign = -5 >> counts[0];
    scratch[t + PADDING(t)] = t + raw[t] + same[t] + (sign + 1) + ((SHIFTED(1, 2)) >> counts[1]);
#ifdef REPAIRED
    __syncthreads();
#endif
    unsigned left = scratch[127 - t + PADDING(127 - t)];
    out[t] = left + (1u << (Bits << 1) >> counts[1]);
}

int main()
{
    unsigned *out, *counts;
    cudaMallocManaged(&out, 128 * sizeof(unsigned));
    cudaMallocManaged(&counts, 2 * sizeof(unsigned));
    counts[0] = 32;
    counts[1] = 64;
    scatter<16><<<1, 128, 1024>>>(out, counts);
    cudaDeviceSynchronize();
    std::printf("%u\n", out[5]);
#ifdef REPAIRED
    return out[5] == 122 ? 0 : 1;
#endif
}
