// verdict: race
// race: lines 20 and 22, variable low, shared
// race: lines 20 and 23, variable high, shared
// race: lines 21 and 22, variable low, shared
// race: lines 21 and 23, variable low, shared
// race: lines 22 and 22, variable low, shared
// race: lines 22 and 22, variable high, shared
// race: lines 22 and 23, variable high, shared
// race: lines 23 and 23, variable high, shared
// repaired: clean
// Sorting: bitonic in shared memory, odd-even merges, a warp's values by shuffles, a merge of two
// sorted runs by diagonals, and a radix sort with counts per block.
// The bitonic network's last steps leave out the barrier, as if the lanes of a warp ran in step.
// Repaired: a barrier after every step.
#include <algorithm>
#include "../common/device_data.h"

__device__ void exchange(int& low, int& high)
{
    if (low > high) {
        const int value = low;
        low = high;
        high = value;
    }
}

__global__ void bitonic(int* data)
{
    __shared__ int values[256];
    const int t = threadIdx.x;
    values[t] = data[blockIdx.x * 256 + t];
    values[t + 128] = data[blockIdx.x * 256 + t + 128];
    __syncthreads();
    for (int size = 2; size <= 256; size *= 2) {
        for (int stride = size / 2; stride > 0; stride /= 2) {
            const int low = 2 * t - t % stride, high = low + stride;
            if ((low & size) == 0) {
                exchange(values[low], values[high]);
            } else {
                exchange(values[high], values[low]);
            }
#ifndef REPAIRED
            if (stride > 32 || stride == 1)
#endif
            __syncthreads();
        }
    }
    data[blockIdx.x * 256 + t] = values[t];
    data[blockIdx.x * 256 + t + 128] = values[t + 128];
}

__global__ void odd_even_merge(int* data, int n)
{
    extern __shared__ int values[];
    const int t = threadIdx.x;
    values[t] = data[t];
    for (int p = 1; p < n; p *= 2) {
        for (int k = p; k >= 1; k /= 2) {
            __syncthreads();
            const int j = t - k % p;
            if (j >= 0 && j % (2 * k) < k && t + k < n && t / (2 * p) == (t + k) / (2 * p)) {
                exchange(values[t], values[t + k]);
            }
        }
    }
    __syncthreads();
    data[t] = values[t];
}

__global__ void sort_in_warps(int* data)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % 32;
    int value = data[i];
    for (int size = 2; size <= 32; size *= 2) {
        for (int stride = size / 2; stride > 0; stride /= 2) {
            const int other = __shfl_xor_sync(0xffffffffu, value, stride);
            const bool ascending = (lane & size) == 0, lower = (lane & stride) == 0;
            value = ascending == lower ? min(value, other) : max(value, other);
        }
    }
    data[i] = value;
}

// How many of the first `diagonal` values of the merged sequence come from `a`.
__device__ int split(const int* a, int na, const int* b, int nb, int diagonal)
{
    int low = max(0, diagonal - nb), high = min(diagonal, na);
    while (low < high) {
        const int middle = (low + high) / 2;
        if (a[middle] <= b[diagonal - 1 - middle]) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

__global__ void merge_path(const int* a, int na, const int* b, int nb, int* out)
{
    const int per_thread = 5;
    const int t = blockIdx.x * blockDim.x + threadIdx.x;
    const int first = min(t * per_thread, na + nb), last = min(first + per_thread, na + nb);
    int i = split(a, na, b, nb, first), j = first - i;
    for (int k = first; k < last; k++) {
        const bool from_a = j >= nb || (i < na && a[i] <= b[j]);
        out[k] = from_a ? a[i++] : b[j++];
    }
}

__global__ void count_digits(const int* in, int n, int shift, int* counts)
{
    __shared__ int local[16];
    const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    if (t < 16) {
        local[t] = 0;
    }
    __syncthreads();
    if (i < n) {
        atomicAdd(&local[in[i] >> shift & 15], 1);
    }
    __syncthreads();
    if (t < 16) {
        counts[t * gridDim.x + blockIdx.x] = local[t];
    }
}

// The exclusive sums of up to 128 counts.
__global__ void sum_counts(int* counts, int n)
{
    __shared__ int sums[2][128];
    const int t = threadIdx.x;
    int now = 0;
    const int own = t < n ? counts[t] : 0;
    sums[0][t] = own;
    for (int distance = 1; distance < 128; distance *= 2, now ^= 1) {
        __syncthreads();
        sums[now ^ 1][t] = sums[now][t] + (t >= distance ? sums[now][t - distance] : 0);
    }
    if (t < n) {
        counts[t] = sums[now][t] - own;
    }
}

__global__ void scatter(const int* in, int n, int shift, const int* starts, int* out)
{
    __shared__ unsigned char digits[64];
    const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    const int digit = i < n ? in[i] >> shift & 15 : 255;
    digits[t] = digit;
    __syncthreads();
    if (i < n) {
        int before = 0;
        for (int other = 0; other < t; other++) {
            before += digits[other] == digit;
        }
        out[starts[digit * gridDim.x + blockIdx.x] + before] = in[i];
    }
}

int networks()
{
    const std::vector<int> in = integers(512, 1000);
    std::vector<int> expected = in;
    std::sort(expected.begin(), expected.begin() + 256);
    std::sort(expected.begin() + 256, expected.end());
    int *d_bitonic = upload(in), *d_merged = upload(in), *d_warps = upload(in);
    bitonic<<<2, 128>>>(d_bitonic);
    int failures = differs("bitonic", download(d_bitonic, 512), expected);
    odd_even_merge<<<1, 256, 256 * sizeof(int)>>>(d_merged, 256);
    failures += differs("odd-even merge", download(d_merged, 256),
                        std::vector<int>(expected.begin(), expected.begin() + 256));
    sort_in_warps<<<2, 256>>>(d_warps);
    std::vector<int> warps = in;
    for (int i = 0; i < 512; i += 32) {
        std::sort(warps.begin() + i, warps.begin() + i + 32);
    }
    return failures + differs("warps", download(d_warps, 512), warps);
}

int merges()
{
    std::vector<int> a = integers(150, 500), b = integers(97, 500, 9), expected;
    std::sort(a.begin(), a.end());
    std::sort(b.begin(), b.end());
    std::merge(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(expected));
    int *d_a = upload(a), *d_b = upload(b), *d_out = allocate<int>(expected.size());
    merge_path<<<2, 32>>>(d_a, a.size(), d_b, b.size(), d_out);
    cudaFree(d_a);
    cudaFree(d_b);
    return differs("merge", download(d_out, expected.size()), expected);
}

int radix()
{
    const int n = 300, threads = 64, blocks = (n + threads - 1) / threads;
    const std::vector<int> in = integers(n, 4096, 4);
    int *d_in = upload(in), *d_out = allocate<int>(n), *d_counts = allocate<int>(16 * blocks);
    for (int shift = 0; shift < 12; shift += 4) {
        count_digits<<<blocks, threads>>>(d_in, n, shift, d_counts);
        sum_counts<<<1, 128>>>(d_counts, 16 * blocks);
        scatter<<<blocks, threads>>>(d_in, n, shift, d_counts, d_out);
        std::swap(d_in, d_out);
    }
    cudaFree(d_out);
    cudaFree(d_counts);
    std::vector<int> expected = in;
    std::sort(expected.begin(), expected.end());
    return differs("radix", download(d_in, n), expected);
}

int main()
{
    const int failures = networks() + merges() + radix();
#ifndef REPAIRED
    return 0;
#endif
    return failures;
}
