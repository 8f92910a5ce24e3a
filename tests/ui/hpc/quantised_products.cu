// verdict: race
// race: lines 23 and 27, variable rows, shared
// race: lines 24 and 27, variable columns, shared
// repaired: clean
// Matrix products of small integers: bytes by __dp4a, packed nibbles with scales of groups, signs by
// exclusive or and population counts, and rows that are quantised by their largest value.
// A warp computes with a tile of bytes that the next one replaces.
// Repaired: a barrier at the end of the loop over tiles.
#include <algorithm>
#include <cstdint>
#include "../common/device_data.h"

constexpr int tile = 16;

// Each int holds four bytes along k.
__global__ void products_of_bytes(const int* a, const int* b, int* c, int n, int words)
{
    __shared__ int rows[tile][tile], columns[tile][tile + 1];
    const int x = threadIdx.x, y = threadIdx.y;
    const int row = blockIdx.y * tile + y, column = blockIdx.x * tile + x;
    int sum = 0;
    for (int first = 0; first < words; first += tile) {
        rows[y][x] = a[row * words + first + x];
        columns[y][x] = b[(blockIdx.x * tile + y) * words + first + x];
        __syncthreads();
        for (int k = 0; k < tile; k++) {
            sum = __dp4a(rows[y][k], columns[x][k], sum);
        }
#ifdef REPAIRED
        __syncthreads();
#endif
    }
    c[row * n + column] = sum;
}

// y = W x, where W has 4 bits an element, and a scale and an offset for each 32 of a row.
__global__ void nibbles(const uint8_t* weights, const float2* scales, const float* x, float* y, int columns)
{
    const int row = blockIdx.x * blockDim.y + threadIdx.y, lane = threadIdx.x;
    float sum = 0;
    for (int group = 0; group < columns / 32; group++) {
        const uint8_t both = weights[(row * columns + group * 32 + lane) / 2];
        const int value = lane % 2 ? both >> 4 : both & 15;
        const float2 scale = scales[row * columns / 32 + group];
        sum += (value * scale.x + scale.y) * x[group * 32 + lane];
    }
    for (int offset = 16; offset > 0; offset /= 2) {
        sum += __shfl_down_sync(~0u, sum, offset);
    }
    if (lane == 0) {
        y[row] = sum;
    }
}

// Lanes pack signs by votes.
__global__ void pack_signs(const float* in, unsigned* out)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const unsigned bits = __ballot_sync(~0u, in[i] < 0.5f);
    if (threadIdx.x % 32 == 0) {
        out[i / 32] = bits;
    }
}

__global__ void products_of_signs(const unsigned* a, const unsigned* b, int* c, int n, int words)
{
    const int row = blockIdx.y, column = blockIdx.x * blockDim.x + threadIdx.x;
    extern __shared__ unsigned line[];
    for (int k = threadIdx.x; k < words; k += blockDim.x) {
        line[k] = a[row * words + k];
    }
    __syncthreads();
    int different = 0;
    for (int k = 0; k < words; k++) {
        different += __popc(line[k] ^ b[column * words + k]);
    }
    c[row * n + column] = 32 * words - 2 * different;
}

__global__ void quantise(const float* in, int8_t* out, float* scales, int columns)
{
    __shared__ float largest[4];
    const int t = threadIdx.x;
    const float* row = in + blockIdx.x * columns;
    float mine = 0;
    for (int i = t; i < columns; i += blockDim.x) {
        mine = fmaxf(mine, fabsf(row[i]));
    }
    for (int offset = 16; offset > 0; offset /= 2) {
        mine = fmaxf(mine, __shfl_xor_sync(~0u, mine, offset));
    }
    if (t % 32 == 0) {
        largest[t / 32] = mine;
    }
    __syncthreads();
    const float scale = fmaxf(fmaxf(largest[0], largest[1]), fmaxf(largest[2], largest[3])) / 127;
    if (t == 0) {
        scales[blockIdx.x] = scale;
    }
    for (int i = t; i < columns; i += blockDim.x) {
        out[blockIdx.x * columns + i] = static_cast<int8_t>(__float2int_rn(row[i] / scale));
    }
}

int bytes()
{
    const int n = 32, k = 128;
    const std::vector<int> numbers = integers(2 * n * k, 255);
    std::vector<int> words(2 * n * k / 4), expected(n * n);
    for (int i = 0; i < 2 * n * k; i++) {
        words[i / 4] |= (numbers[i] - 127 & 255) << i % 4 * 8;
    }
    for (int i = 0; i < n * n * k; i++) {
        const int row = i / (n * k), column = i / k % n;
        expected[row * n + column] += (numbers[row * k + i % k] - 127) *
                                      (numbers[(n + column) * k + i % k] - 127);
    }
    int *d_words = upload(words), *d_c = allocate<int>(n * n);
    products_of_bytes<<<dim3(n / tile, n / tile), dim3(tile, tile)>>>(
        d_words, d_words + n * k / 4, d_c, n, k / 4);
    cudaFree(d_words);
    return differs("bytes", download(d_c, n * n), expected);
}

int groups()
{
    const int rows = 16, columns = 96;
    const std::vector<int> values = integers(rows * columns, 16);
    const std::vector<float> x = fractions(columns, 4), numbers = fractions(rows * columns / 16, 9);
    std::vector<uint8_t> weights(rows * columns / 2);
    std::vector<float2> scales;
    std::vector<float> expected(rows);
    for (int i = 0; i < rows * columns / 32; i++) {
        scales.push_back(make_float2(numbers[2 * i], numbers[2 * i + 1]));
    }
    for (int i = 0; i < rows * columns; i++) {
        weights[i / 2] |= values[i] << i % 2 * 4;
        expected[i / columns] += (values[i] * scales[i / 32].x + scales[i / 32].y) * x[i % columns];
    }
    uint8_t* d_weights = upload(weights);
    float2* d_scales = upload(scales);
    float *d_x = upload(x), *d_y = allocate<float>(rows);
    nibbles<<<rows / 4, dim3(32, 4)>>>(d_weights, d_scales, d_x, d_y, columns);
    cudaFree(d_weights);
    cudaFree(d_scales);
    cudaFree(d_x);
    return differs("nibbles", download(d_y, rows), expected, 1e-4);
}

int signs()
{
    const int n = 16, k = 128;
    const std::vector<float> numbers = fractions(2 * n * k, 6);
    float* d_numbers = upload(numbers);
    unsigned* d_bits = allocate<unsigned>(2 * n * k / 32);
    int* d_c = allocate<int>(n * n);
    pack_signs<<<2 * n * k / 64, 64>>>(d_numbers, d_bits);
    products_of_signs<<<dim3(1, n), n, k / 32 * sizeof(unsigned)>>>(
        d_bits, d_bits + n * k / 32, d_c, n, k / 32);
    cudaFree(d_numbers);
    cudaFree(d_bits);
    std::vector<int> expected(n * n);
    for (int i = 0; i < n * n * k; i++) {
        const int row = i / (n * k), column = i / k % n;
        const bool a = numbers[row * k + i % k] < 0.5f, b = numbers[(n + column) * k + i % k] < 0.5f;
        expected[row * n + column] += a == b ? 1 : -1;
    }
    return differs("signs", download(d_c, n * n), expected);
}

int rows_by_largest()
{
    const int rows = 3, columns = 200;
    const std::vector<float> in = fractions(rows * columns, 12);
    float *d_in = upload(in), *d_scales = allocate<float>(rows);
    int8_t* d_out = allocate<int8_t>(in.size());
    quantise<<<rows, 128>>>(d_in, d_out, d_scales, columns);
    cudaFree(d_in);
    const std::vector<int8_t> out = download(d_out, in.size());
    const std::vector<float> scales = download(d_scales, rows);
    std::vector<float> back;
    for (int i = 0; i < rows * columns; i++) {
        back.push_back(out[i] * scales[i / columns]);
    }
    return differs("rows", back, in, 5e-3);
}

int main()
{
    const int failures = bytes() + groups() + signs() + rows_by_largest();
#ifndef REPAIRED
    return 0;
#endif
    return failures;
}
