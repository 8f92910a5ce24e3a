// verdict: race
// race: lines 142 and 146, variable sums, shared
// repaired: clean
// Images: separable convolution, median, Sobel, histogram equalisation, erosion, an integral image,
// a bilateral filter, and labels of connected pixels.
// The rows of the integral image are summed in place without a barrier between reading and writing.
// Repaired: a barrier between the two.
#include <algorithm>
#include "../common/device_data.h"

constexpr int width = 48, height = 32, pixels = width * height, radius = 3;

__constant__ float weights[2 * radius + 1];

__global__ void convolve_rows(const unsigned char* in, float* out)
{
    __shared__ float row[width + 2 * radius];
    const int x = threadIdx.x, y = blockIdx.x;
    for (int i = x; i < width + 2 * radius; i += blockDim.x) {
        row[i] = in[y * width + min(max(i - radius, 0), width - 1)];
    }
    __syncthreads();
    float sum = 0;
    for (int k = -radius; k <= radius; k++) {
        sum += weights[k + radius] * row[x + radius + k];
    }
    out[y * width + x] = sum;
}

__global__ void convolve_columns(const float* in, float* out)
{
    __shared__ float column[8][height + 2 * radius];
    const int x = blockIdx.x * 8 + threadIdx.x;
    for (int i = threadIdx.y; i < height + 2 * radius; i += blockDim.y) {
        column[threadIdx.x][i] = in[min(max(i - radius, 0), height - 1) * width + x];
    }
    __syncthreads();
    for (int y = threadIdx.y; y < height; y += blockDim.y) {
        float sum = 0;
        for (int k = -radius; k <= radius; k++) {
            sum += weights[k + radius] * column[threadIdx.x][y + radius + k];
        }
        out[y * width + x] = sum;
    }
}

__device__ int clamped(const unsigned char* image, int x, int y)
{
    return image[min(max(y, 0), height - 1) * width + min(max(x, 0), width - 1)];
}

__global__ void median(const unsigned char* in, unsigned char* out)
{
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    unsigned char window[9];
    for (int k = 0; k < 9; k++) {
        int at = k;
        const unsigned char value = clamped(in, x + k % 3 - 1, y + k / 3 - 1);
        for (; at > 0 && window[at - 1] > value; at--) {
            window[at] = window[at - 1];
        }
        window[at] = value;
    }
    out[y * width + x] = window[4];
}

__global__ void sobel(const unsigned char* in, unsigned char* out)
{
    __shared__ unsigned char tile[10][18];
    const int t = threadIdx.y * 16 + threadIdx.x, left = blockIdx.x * 16, top = blockIdx.y * 8;
    for (int i = t; i < 180; i += 128) {
        tile[i / 18][i % 18] = clamped(in, left + i % 18 - 1, top + i / 18 - 1);
    }
    __syncthreads();
    const int x = threadIdx.x + 1, y = threadIdx.y + 1;
    const int gx = tile[y - 1][x + 1] + 2 * tile[y][x + 1] + tile[y + 1][x + 1] -
                   tile[y - 1][x - 1] - 2 * tile[y][x - 1] - tile[y + 1][x - 1];
    const int gy = tile[y + 1][x - 1] + 2 * tile[y + 1][x] + tile[y + 1][x + 1] -
                   tile[y - 1][x - 1] - 2 * tile[y - 1][x] - tile[y - 1][x + 1];
    out[(top + threadIdx.y) * width + left + threadIdx.x] = min(255, abs(gx) + abs(gy));
}

__global__ void count_values(const uchar4* in, int* histogram)
{
    __shared__ int local[256];
    for (int i = threadIdx.x; i < 256; i += blockDim.x) {
        local[i] = 0;
    }
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < pixels / 4; i += gridDim.x * blockDim.x) {
        const uchar4 four = in[i];
        atomicAdd(&local[four.x], 1);
        atomicAdd(&local[four.y], 1);
        atomicAdd(&local[four.z], 1);
        atomicAdd(&local[four.w], 1);
    }
    __syncthreads();
    for (int i = threadIdx.x; i < 256; i += blockDim.x) {
        if (local[i] > 0) {
            atomicAdd(&histogram[i], local[i]);
        }
    }
}

__global__ void equalise(const unsigned char* in, const int* histogram, unsigned char* out)
{
    __shared__ int below[256];
    const int t = threadIdx.x;
    below[t] = histogram[t];
    __syncthreads();
    for (int distance = 1; distance < 256; distance *= 2) {
        const int before = t >= distance ? below[t - distance] : 0;
        __syncthreads();
        below[t] += before;
        __syncthreads();
    }
    for (int i = blockIdx.x * 256 + t; i < pixels; i += gridDim.x * 256) {
        out[i] = below[in[i]] * 255 / pixels;
    }
}

__global__ void erode(const unsigned char* in, unsigned char* out)
{
    __shared__ unsigned char row[width];
    const int x = threadIdx.x;
    int lowest = 255;
    for (int k = -1; k <= 1; k++) {
        lowest = min(lowest, clamped(in, x, static_cast<int>(blockIdx.x) + k));
    }
    row[x] = lowest;
    __syncthreads();
    out[blockIdx.x * width + x] = min(row[x], min(row[max(x - 1, 0)], row[min(x + 1, width - 1)]));
}

__global__ void integrate_rows(const unsigned char* in, int* out)
{
    __shared__ int sums[width];
    const int x = threadIdx.x;
    sums[x] = in[blockIdx.x * width + x];
    __syncthreads();
    for (int distance = 1; distance < width; distance *= 2) {
        const int before = x >= distance ? sums[x - distance] : 0;
#ifdef REPAIRED
        __syncthreads();
#endif
        sums[x] += before;
        __syncthreads();
    }
    out[blockIdx.x * width + x] = sums[x];
}

__global__ void integrate_columns(int* sums)
{
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    int sum = 0;
    for (int y = 0; y < height; y++) {
        sum += sums[y * width + x];
        sums[y * width + x] = sum;
    }
}

__global__ void bilateral(const unsigned char* in, float* out)
{
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    const int here = in[y * width + x];
    float sum = 0, total = 0;
    for (int dy = -2; dy <= 2; dy++) {
        for (int dx = -2; dx <= 2; dx++) {
            const int value = clamped(in, x + dx, y + dy);
            const float weight = __expf(-(dx * dx + dy * dy) / 8.0f - abs(value - here) / 32.0f);
            sum += weight * value;
            total += weight;
        }
    }
    out[y * width + x] = sum / total;
}

// The smallest number of a pixel that is connected through pixels of the same side of 128.
__global__ void spread_labels(const unsigned char* in, const int* from, int* to, int* changed)
{
    const int x = threadIdx.x, y = blockIdx.x, at = y * width + x;
    const bool bright = in[at] >= 128;
    int label = from[at];
    const int neighbours[4] = {x > 0 ? at - 1 : at, x + 1 < width ? at + 1 : at,
                               y > 0 ? at - width : at, y + 1 < height ? at + width : at};
    for (int other : neighbours) {
        if ((in[other] >= 128) == bright) {
            label = min(label, from[other]);
        }
    }
    to[at] = label;
    if (__syncthreads_or(label != from[at]) && threadIdx.x == 0) {
        atomicExch(changed, 1);
    }
}

int at_border(const std::vector<unsigned char>& image, int x, int y)
{
    return image[std::clamp(y, 0, height - 1) * width + std::clamp(x, 0, width - 1)];
}

template <class T, class F>
std::vector<T> each_pixel(F value)
{
    std::vector<T> out;
    for (int i = 0; i < pixels; i++) {
        out.push_back(static_cast<T>(value(i % width, i / width)));
    }
    return out;
}

int convolutions(const std::vector<unsigned char>& image, unsigned char* d_image)
{
    const float host[2 * radius + 1] = {0.05f, 0.1f, 0.2f, 0.3f, 0.2f, 0.1f, 0.05f};
    cudaMemcpyToSymbol(weights, host, sizeof(host));
    float *d_rows = allocate<float>(pixels), *d_both = allocate<float>(pixels);
    convolve_rows<<<height, width>>>(d_image, d_rows);
    convolve_columns<<<width / 8, dim3(8, 8)>>>(d_rows, d_both);
    cudaFree(d_rows);
    float* d_bilateral = allocate<float>(pixels);
    bilateral<<<dim3(3, 4), dim3(16, 8)>>>(d_image, d_bilateral);
    const auto convolved = each_pixel<float>([&](int x, int y) {
        float sum = 0;
        for (int k = 0; k < 49; k++) {
            sum += host[k % 7] * host[k / 7] * at_border(image, x + k % 7 - 3, y + k / 7 - 3);
        }
        return sum;
    });
    const auto smooth = each_pixel<float>([&](int x, int y) {
        float sum = 0, total = 0;
        for (int k = 0; k < 25; k++) {
            const int dx = k % 5 - 2, dy = k / 5 - 2, value = at_border(image, x + dx, y + dy);
            const float weight = std::exp(-(dx * dx + dy * dy) / 8.0f -
                                          std::abs(value - at_border(image, x, y)) / 32.0f);
            sum += weight * value;
            total += weight;
        }
        return sum / total;
    });
    return differs("convolution", download(d_both, pixels), convolved, 1e-4) +
           differs("bilateral", download(d_bilateral, pixels), smooth, 1e-3);
}

int local_filters(const std::vector<unsigned char>& image, unsigned char* d_image)
{
    unsigned char *d_median = allocate<unsigned char>(pixels), *d_sobel = allocate<unsigned char>(pixels);
    unsigned char *d_eroded = allocate<unsigned char>(pixels), *d_equal = allocate<unsigned char>(pixels);
    int* d_histogram = zeros<int>(256);
    median<<<dim3(3, 4), dim3(16, 8)>>>(d_image, d_median);
    sobel<<<dim3(3, 4), dim3(16, 8)>>>(d_image, d_sobel);
    erode<<<height, width>>>(d_image, d_eroded);
    count_values<<<2, 64>>>(reinterpret_cast<uchar4*>(d_image), d_histogram);
    equalise<<<2, 256>>>(d_image, d_histogram, d_equal);
    cudaFree(d_histogram);
    auto window = [&](int x, int y) {
        std::vector<int> values;
        for (int k = 0; k < 9; k++) {
            values.push_back(at_border(image, x + k % 3 - 1, y + k / 3 - 1));
        }
        return values;
    };
    using Byte = unsigned char;
    const auto middle = each_pixel<Byte>([&](int x, int y) {
        std::vector<int> w = window(x, y);
        std::sort(w.begin(), w.end());
        return w[4];
    });
    const auto edges = each_pixel<Byte>([&](int x, int y) {
        const std::vector<int> w = window(x, y);
        const int gx = w[2] + 2 * w[5] + w[8] - w[0] - 2 * w[3] - w[6];
        const int gy = w[6] + 2 * w[7] + w[8] - w[0] - 2 * w[1] - w[2];
        return std::min(255, std::abs(gx) + std::abs(gy));
    });
    const auto lowest = each_pixel<Byte>([&](int x, int y) {
        const std::vector<int> w = window(x, y);
        return *std::min_element(w.begin(), w.end());
    });
    const auto equal = each_pixel<Byte>([&](int x, int y) {
        const int here = image[y * width + x];
        return std::count_if(image.begin(), image.end(), [=](int v) { return v <= here; }) * 255 / pixels;
    });
    return differs("median", download(d_median, pixels), middle) +
           differs("Sobel", download(d_sobel, pixels), edges) +
           differs("eroded", download(d_eroded, pixels), lowest) +
           differs("equalised", download(d_equal, pixels), equal);
}

int integral(const std::vector<unsigned char>& image, unsigned char* d_image)
{
    int* d_sums = allocate<int>(pixels);
    integrate_rows<<<height, width>>>(d_image, d_sums);
    integrate_columns<<<width / 16, 16>>>(d_sums);
    std::vector<int> expected(pixels);
    for (int i = 0; i < pixels; i++) {
        expected[i] = image[i] + (i % width ? expected[i - 1] : 0) +
                      (i >= width ? expected[i - width] : 0) -
                      (i % width && i >= width ? expected[i - width - 1] : 0);
    }
    return differs("integral", download(d_sums, pixels), expected);
}

int labels(const std::vector<unsigned char>& image, unsigned char* d_image)
{
    std::vector<int> expected(pixels);
    for (int i = 0; i < pixels; i++) {
        expected[i] = i;
    }
    int *d_from = upload(expected), *d_to = allocate<int>(pixels), *d_changed = allocate<int>(1);
    for (int changed = 1; changed;) {
        cudaMemset(d_changed, 0, sizeof(int));
        spread_labels<<<height, width>>>(d_image, d_from, d_to, d_changed);
        cudaMemcpy(&changed, d_changed, sizeof(int), cudaMemcpyDeviceToHost);
        std::swap(d_from, d_to);
    }
    cudaFree(d_to);
    cudaFree(d_changed);
    for (bool changed = true; changed;) {
        changed = false;
        for (int i = 0; i < pixels; i++) {
            for (int other : {i % width ? i - 1 : i, i >= width ? i - width : i}) {
                if (image[other] / 128 == image[i] / 128 && expected[other] != expected[i]) {
                    expected[other] = expected[i] = std::min(expected[other], expected[i]);
                    changed = true;
                }
            }
        }
    }
    return differs("label", download(d_from, pixels), expected);
}

int main()
{
    std::vector<unsigned char> image;
    for (int value : integers(pixels, 256)) {
        image.push_back(value);
    }
    unsigned char* d_image = upload(image);
    const int failures = convolutions(image, d_image) + local_filters(image, d_image) +
                         integral(image, d_image) + labels(image, d_image);
    cudaFree(d_image);
#ifndef REPAIRED
    return 0;
#endif
    return failures;
}
