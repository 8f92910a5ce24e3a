// verdict: race
// race: lines 78 and 84, variable sums, shared
// repaired: clean
// Scans: Hillis-Steele with two buffers, Blelloch's up and down sweeps, a scan by shuffles in three
// launches, segments, and a stream compaction.
// The sums of the warps are read before the first warp has scanned them.
// Repaired: a barrier after that scan.
#include <algorithm>
#include "../common/device_data.h"

__global__ void hillis_steele(const int* in, int* out)
{
    __shared__ int both[2][128];
    const int t = threadIdx.x;
    int now = 0;
    both[0][t] = in[t];
    for (int distance = 1; distance < 128; distance *= 2) {
        __syncthreads();
        both[1 - now][t] = t >= distance ? both[now][t] + both[now][t - distance] : both[now][t];
        now = 1 - now;
    }
    out[t] = both[now][t];
}

#define PADDED(i) ((i) + (i) / 32)

__global__ void blelloch(const int* in, int* out)
{
    __shared__ int tree[PADDED(256)];
    const int t = threadIdx.x;
    tree[PADDED(t)] = in[t];
    tree[PADDED(t + 128)] = in[t + 128];
    int distance = 1;
    for (int active = 128; active > 0; active /= 2, distance *= 2) {
        __syncthreads();
        if (t < active) {
            tree[PADDED(distance * (2 * t + 2) - 1)] += tree[PADDED(distance * (2 * t + 1) - 1)];
        }
    }
    if (t == 0) {
        tree[PADDED(255)] = 0;
    }
    for (int active = 1; active <= 128; active *= 2) {
        distance /= 2;
        __syncthreads();
        if (t < active) {
            const int low = PADDED(distance * (2 * t + 1) - 1), high = PADDED(distance * (2 * t + 2) - 1);
            const int left = tree[low];
            tree[low] = tree[high];
            tree[high] += left;
        }
    }
    __syncthreads();
    out[t] = tree[PADDED(t)];
    out[t + 128] = tree[PADDED(t + 128)];
}

__device__ int scan_of_warp(int value)
{
    for (int distance = 1; distance < 32; distance *= 2) {
        const int before = __shfl_up_sync(~0u, value, distance);
        value += threadIdx.x % 32 >= distance ? before : 0;
    }
    return value;
}

__device__ int scan_of_block(int value, int* sums)
{
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32, warps = blockDim.x / 32;
    value = scan_of_warp(value);
    if (lane == 31) {
        sums[warp] = value;
    }
    __syncthreads();
    if (warp == 0) {
        const int sum = scan_of_warp(lane < warps ? sums[lane] : 0);
        if (lane < warps) {
            sums[lane] = sum;
        }
    }
#ifdef REPAIRED
    __syncthreads();
#endif
    return value + (warp > 0 ? sums[warp - 1] : 0);
}

__global__ void scan_tiles(const int* in, int* out, int* totals, int n)
{
    __shared__ int sums[4];
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const int sum = scan_of_block(i < n ? in[i] : 0, sums);
    if (i < n) {
        out[i] = sum;
    }
    if (threadIdx.x == blockDim.x - 1) {
        totals[blockIdx.x] = sum;
    }
}

__global__ void scan_totals(int* totals, int count)
{
    const int lane = threadIdx.x;
    const int sum = scan_of_warp(lane < count ? totals[lane] : 0);
    if (lane < count) {
        totals[lane] = sum;
    }
}

__global__ void add_totals(int* out, const int* totals, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (blockIdx.x > 0 && i < n) {
        out[i] += totals[blockIdx.x - 1];
    }
}

// Sums that begin anew at each flag.
__global__ void segmented(const int* in, const bool* begins, int* out)
{
    __shared__ int sums[128];
    __shared__ bool flags[128];
    const int t = threadIdx.x;
    sums[t] = in[t];
    flags[t] = begins[t];
    for (int distance = 1; distance < 128; distance *= 2) {
        __syncthreads();
        const bool add = t >= distance && !flags[t];
        const int before = add ? sums[t - distance] : 0;
        const bool flag = add ? flags[t - distance] : flags[t];
        __syncthreads();
        sums[t] += before;
        flags[t] = flag;
    }
    out[t] = sums[t];
}

// Warps reserve space in the output; the order of the result is arbitrary.
__global__ void compact(const int* in, int n, int* out, int* size)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % 32;
    const bool keep = i < n && in[i] % 3 == 0;
    const unsigned votes = __ballot_sync(~0u, keep);
    int first = 0;
    if (lane == 0 && votes) {
        first = atomicAdd(size, __popc(votes));
    }
    first = __shfl_sync(~0u, first, 0);
    if (keep) {
        out[first + __popc(votes & ((1u << lane) - 1))] = in[i];
    }
}

std::vector<int> sums(const std::vector<int>& in, size_t count, bool exclusive)
{
    std::vector<int> out;
    int sum = 0;
    for (size_t i = 0; i < count; i++) {
        out.push_back(exclusive ? sum : sum + in[i]);
        sum += in[i];
    }
    return out;
}

int main()
{
    const int n = 500;
    const std::vector<int> in = integers(n, 100);
    int *d_in = upload(in), *d_steps = allocate<int>(128), *d_sweeps = allocate<int>(256);
    int *d_all = allocate<int>(n), *d_totals = allocate<int>(4), *d_segments = allocate<int>(128);
    int *d_kept = allocate<int>(n), *d_size = zeros<int>(1);
    bool* d_begins = allocate<bool>(128);
    bool begins[128];
    for (int i = 0; i < 128; i++) {
        begins[i] = i % 11 == 0 || i % 17 == 5;
    }
    cudaMemcpy(d_begins, begins, sizeof(begins), cudaMemcpyHostToDevice);

    hillis_steele<<<1, 128>>>(d_in, d_steps);
    blelloch<<<1, 128>>>(d_in, d_sweeps);
    scan_tiles<<<4, 128>>>(d_in, d_all, d_totals, n);
    scan_totals<<<1, 32>>>(d_totals, 4);
    add_totals<<<4, 128>>>(d_all, d_totals, n);
    segmented<<<1, 128>>>(d_in, d_begins, d_segments);
    compact<<<4, 128>>>(d_in, n, d_kept, d_size);

    cudaFree(d_in);
    cudaFree(d_totals);
    cudaFree(d_begins);
    std::vector<int> segments, multiples;
    for (int i = 0; i < 128; i++) {
        segments.push_back(in[i] + (begins[i] ? 0 : segments[i - 1]));
    }
    for (int value : in) {
        if (value % 3 == 0) {
            multiples.push_back(value);
        }
    }
    std::sort(multiples.begin(), multiples.end());
    std::vector<int> kept = download(d_kept, n);
    const int size = download(d_size, 1)[0];
    std::sort(kept.begin(), kept.begin() + size);
    const int failures = differs("steps", download(d_steps, 128), sums(in, 128, false)) +
                         differs("sweeps", download(d_sweeps, 256), sums(in, 256, true)) +
                         differs("all", download(d_all, n), sums(in, n, false)) +
                         differs("segments", download(d_segments, 128), segments) +
                         (size != static_cast<int>(multiples.size())) +
                         differs("kept", kept, multiples);
#ifndef REPAIRED
    return 0;
#endif
    return failures;
}
