// verdict: race
// race: lines 64 and 65, variable re, shared
// race: lines 64 and 67, variable re, shared
// race: lines 64 and 66, variable im, shared
// race: lines 64 and 68, variable im, shared
// race: lines 65 and 65, variable re, shared
// race: lines 65 and 67, variable re, shared
// race: lines 66 and 66, variable im, shared
// race: lines 66 and 68, variable im, shared
// repaired: clean
// Transforms: Stockham FFT, FFT in place after bit reversal, Walsh-Hadamard, number-theoretic, and
// a discrete cosine transform of 8 x 8 blocks.
// A step of the transform in place exchanges pairs that other warps have not computed yet.
// Repaired: a barrier after each step.
#include "../common/device_data.h"

__device__ float2 times(float2 a, float2 b)
{
    return make_float2(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);
}

__device__ float2 root(int k, int n)
{
    float2 w;
    sincospif(-2.0f * k / n, &w.y, &w.x);
    return w;
}

template <int n>
__global__ void stockham(const float2* in, float2* out)
{
    __shared__ float2 both[2][n];
    const int t = threadIdx.x;
    both[0][t] = in[blockIdx.x * n + t];
    both[0][t + n / 2] = in[blockIdx.x * n + t + n / 2];
    int now = 0;
    for (int half = 1; half < n; half *= 2, now ^= 1) {
        __syncthreads();
        const int k = t % half;
        const float2 a = both[now][t], b = times(both[now][t + n / 2], root(k, 2 * half));
        const int to = (t - k) * 2 + k;
        both[now ^ 1][to] = make_float2(a.x + b.x, a.y + b.y);
        both[now ^ 1][to + half] = make_float2(a.x - b.x, a.y - b.y);
    }
    __syncthreads();
    out[blockIdx.x * n + t] = both[now][t];
    out[blockIdx.x * n + t + n / 2] = both[now][t + n / 2];
}

template <int n>
__global__ void in_place(float2* data)
{
    __shared__ float re[n], im[n];
    const int t = threadIdx.x;
    float2* mine = data + blockIdx.x * n;
    for (int i = t; i < n; i += blockDim.x) {
        const int to = __brev(i) >> (33 - __ffs(n));
        re[to] = mine[i].x;
        im[to] = mine[i].y;
    }
    __syncthreads();
    for (int half = 1; half < n; half *= 2) {
        const int k = t % half, low = (t - k) * 2 + k, high = low + half;
        const float2 b = times(make_float2(re[high], im[high]), root(k, 2 * half));
        re[high] = re[low] - b.x;
        im[high] = im[low] - b.y;
        re[low] += b.x;
        im[low] += b.y;
#ifdef REPAIRED
        __syncthreads();
#endif
    }
#ifndef REPAIRED
    __syncthreads();
#endif
    for (int i = t; i < n; i += blockDim.x) {
        mine[i] = make_float2(re[i], im[i]);
    }
}

// The first steps stay in a warp, where lanes exchange values without shared memory.
__global__ void walsh(const int* in, int* out)
{
    __shared__ int values[256];
    const int t = threadIdx.x, lane = t % 32;
    int value = in[blockIdx.x * 256 + t];
    for (int bit = 1; bit < 32; bit *= 2) {
        const int other = __shfl_xor_sync(0xffffffffu, value, bit);
        value = lane & bit ? other - value : other + value;
    }
    for (int bit = 32; bit < 256; bit *= 2) {
        values[t] = value;
        __syncthreads();
        const int other = values[t ^ bit];
        value = t & bit ? other - value : other + value;
        __syncthreads();
    }
    out[blockIdx.x * 256 + t] = value;
}

constexpr unsigned prime = 12289, generator = 11;

__host__ __device__ unsigned power(unsigned base, unsigned exponent)
{
    unsigned result = 1;
    for (; exponent > 0; exponent /= 2, base = base * base % prime) {
        result = exponent % 2 ? result * base % prime : result;
    }
    return result;
}

// One launch a step, on data in global memory.
__global__ void number_theoretic_step(const unsigned* in, unsigned* out, int n, int half)
{
    const int t = blockIdx.x * blockDim.x + threadIdx.x;
    if (t < n / 2) {
        const int k = t % half, to = (t - k) * 2 + k;
        const unsigned w = power(generator, (prime - 1) / (2 * half) * k);
        const unsigned a = in[t], b = in[t + n / 2] * w % prime;
        out[to] = (a + b) % prime;
        out[to + half] = (a + prime - b) % prime;
    }
}

__constant__ float basis[8][8];

__global__ void cosine(const float* image, float* out, int width)
{
    __shared__ float block[8][9], rows[8][9];
    const int x = threadIdx.x, y = threadIdx.y;
    const int at = (blockIdx.y * 8 + y) * width + blockIdx.x * 8 + x;
    block[y][x] = image[at];
    __syncthreads();
    float sum = 0;
    for (int k = 0; k < 8; k++) {
        sum += basis[x][k] * block[y][k];
    }
    rows[y][x] = sum;
    __syncthreads();
    sum = 0;
    for (int k = 0; k < 8; k++) {
        sum += basis[y][k] * rows[k][x];
    }
    out[at] = sum;
}

int fourier()
{
    const int n = 128, count = 2;
    const std::vector<float> numbers = fractions(2 * n * count);
    std::vector<float2> in(n * count);
    std::vector<float> expected(2 * n * count);
    for (int i = 0; i < n * count; i++) {
        in[i] = make_float2(numbers[2 * i], numbers[2 * i + 1]);
    }
    for (int i = 0; i < n * count; i++) {
        double re = 0, im = 0;
        for (int k = 0; k < n; k++) {
            const double angle = -2 * M_PI * (i % n) * k / n;
            const float2 v = in[i / n * n + k];
            re += v.x * cos(angle) - v.y * sin(angle);
            im += v.x * sin(angle) + v.y * cos(angle);
        }
        expected[2 * i] = re;
        expected[2 * i + 1] = im;
    }
    auto flat = [](const std::vector<float2>& values) {
        std::vector<float> out;
        for (float2 value : values) {
            out.push_back(value.x);
            out.push_back(value.y);
        }
        return out;
    };
    float2 *d_in = upload(in), *d_out = allocate<float2>(in.size());
    stockham<n><<<count, n / 2>>>(d_in, d_out);
    in_place<n><<<count, n / 2>>>(d_in);
    return differs("Stockham", flat(download(d_out, in.size())), expected, 1e-3) +
           differs("in place", flat(download(d_in, in.size())), expected, 1e-3);
}

int hadamard()
{
    const std::vector<int> in = integers(512, 100);
    int *d_in = upload(in), *d_out = allocate<int>(512);
    walsh<<<2, 256>>>(d_in, d_out);
    cudaFree(d_in);
    std::vector<int> expected(512);
    for (int i = 0; i < 512; i++) {
        for (int k = 0; k < 256; k++) {
            const int sign = __builtin_popcount(i % 256 & k) % 2 ? -1 : 1;
            expected[i] += sign * in[i / 256 * 256 + k];
        }
    }
    return differs("Walsh", download(d_out, 512), expected);
}

int number_theoretic()
{
    const int n = 256;
    std::vector<unsigned> in, expected(n);
    for (int value : integers(n, prime)) {
        in.push_back(value);
    }
    unsigned *d_a = upload(in), *d_b = allocate<unsigned>(n);
    for (int half = 1; half < n; half *= 2) {
        number_theoretic_step<<<2, 64>>>(d_a, d_b, n, half);
        std::swap(d_a, d_b);
    }
    cudaFree(d_b);
    const unsigned w = power(generator, (prime - 1) / n);
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < n; k++) {
            expected[i] = (expected[i] + in[k] * power(w, i * k % n)) % prime;
        }
    }
    return differs("number-theoretic", download(d_a, n), expected);
}

int cosines()
{
    float table[8][8];
    for (int u = 0; u < 8; u++) {
        for (int x = 0; x < 8; x++) {
            table[u][x] = (u == 0 ? sqrt(0.125) : 0.5) * cos((2 * x + 1) * u * M_PI / 16);
        }
    }
    cudaMemcpyToSymbol(basis, table, sizeof(table));
    const int width = 24, height = 16;
    const std::vector<float> in = fractions(width * height);
    float *d_in = upload(in), *d_out = allocate<float>(in.size());
    cosine<<<dim3(3, 2), dim3(8, 8)>>>(d_in, d_out, width);
    cudaFree(d_in);
    std::vector<float> expected(in.size());
    for (int i = 0; i < width * height; i++) {
        const int x = i % width, y = i / width;
        for (int k = 0; k < 64; k++) {
            expected[i] += table[x % 8][k % 8] * table[y % 8][k / 8] *
                           in[(y / 8 * 8 + k / 8) * width + x / 8 * 8 + k % 8];
        }
    }
    return differs("cosine", download(d_out, in.size()), expected, 1e-4);
}

int main()
{
    const int failures = fourier() + hadamard() + number_theoretic() + cosines();
#ifndef REPAIRED
    return 0;
#endif
    return failures;
}
