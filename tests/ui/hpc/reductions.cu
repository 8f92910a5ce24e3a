// verdict: race
// race: lines 48 and 61, variable sums, global
// repaired: clean
// Reductions: the last block adds the sums of all, atomics of warps, tiles of cooperative groups,
// the place of a minimum in 64 bits, a grid barrier, and compensated sums.
// The last block reads sums that were written without a fence before the counter.
// Repaired: __threadfence() between the two.
#include <algorithm>
#include <cfloat>
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include "../common/device_data.h"

namespace cg = cooperative_groups;

constexpr int threads = 128;

__device__ int sum_of_block(int value, int* shared)
{
    const int t = threadIdx.x;
    shared[t] = value;
    __syncthreads();
    for (int half = threads / 2; half >= 32; half /= 2) {
        if (t < half) {
            shared[t] += shared[t + half];
        }
        __syncthreads();
    }
    if (t < 32) {
        value = shared[t];
        for (int offset = 16; offset > 0; offset /= 2) {
            value += __shfl_down_sync(~0u, value, offset);
        }
    }
    return value;
}

__global__ void last_block_adds(const int* in, int n, int* sums, unsigned* finished, int* out)
{
    __shared__ int shared[threads];
    __shared__ bool last;
    int value = 0;
    for (int i = blockIdx.x * threads + threadIdx.x; i < n; i += gridDim.x * threads) {
        value += in[i];
    }
    value = sum_of_block(value, shared);
    if (threadIdx.x == 0) {
        sums[blockIdx.x] = value;
#ifdef REPAIRED
        __threadfence();
#endif
        last = atomicInc(finished, gridDim.x - 1) == gridDim.x - 1;
    }
    __syncthreads();
    if (last) {
#ifdef REPAIRED
        __threadfence();
#endif
        value = 0;
        for (int i = threadIdx.x; i < gridDim.x; i += threads) {
            value += sums[i];
        }
        value = sum_of_block(value, shared);
        if (threadIdx.x == 0) {
            *out = value;
        }
    }
}

// Lanes with the same key add together; one of them adds to memory.
__global__ void sums_by_key(const int* keys, const int* values, int n, int* sums)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % 32;
    const unsigned here = __ballot_sync(~0u, i < n);
    if (i < n) {
        const unsigned peers = __match_any_sync(here, keys[i]);
        const int sum = __reduce_add_sync(peers, values[i]);
        if (lane == __ffs(peers) - 1) {
            atomicAdd(&sums[keys[i]], sum);
        }
    }
}

__global__ void tiles_of_groups(const float* in, int n, float* out)
{
    __shared__ float sums[threads / 16];
    const cg::thread_block block = cg::this_thread_block();
    const auto tile = cg::tiled_partition<16>(block);
    const int i = blockIdx.x * threads + threadIdx.x;
    const float largest = cg::reduce(tile, i < n ? in[i] : -FLT_MAX, cg::greater<float>());
    if (tile.thread_rank() == 0) {
        sums[tile.meta_group_rank()] = largest;
    }
    block.sync();
    if (block.thread_rank() == 0) {
        float best = sums[0];
        for (float sum : sums) {
            best = fmaxf(best, sum);
        }
        out[blockIdx.x] = best;
    }
}

__global__ void place_of_minimum(const float* in, int n, unsigned long long* best)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned long long mine = ~0ull;
    if (i < n) {
        // Positive numbers are in the order of their bits.
        mine = static_cast<unsigned long long>(__float_as_uint(in[i])) << 32 | i;
    }
    for (int offset = 16; offset > 0; offset /= 2) {
        const unsigned long long other = __shfl_xor_sync(~0u, mine, offset);
        mine = other < mine ? other : mine;
    }
    if (threadIdx.x % 32 == 0) {
        atomicMin(best, mine);
    }
}

// All blocks normalise by the sum of all.
__global__ void normalise(float* data, int n, float* partial)
{
    const cg::grid_group grid = cg::this_grid();
    const cg::thread_block block = cg::this_thread_block();
    const auto warp = cg::tiled_partition<32>(block);
    float sum = 0;
    for (int i = grid.thread_rank(); i < n; i += grid.size()) {
        sum += data[i];
    }
    sum = cg::reduce(warp, sum, cg::plus<float>());
    if (warp.thread_rank() == 0) {
        partial[blockIdx.x * warp.meta_group_size() + warp.meta_group_rank()] = sum;
    }
    grid.sync();
    float total = 0;
    for (int i = 0; i < gridDim.x * warp.meta_group_size(); i++) {
        total += partial[i];
    }
    for (int i = grid.thread_rank(); i < n; i += grid.size()) {
        data[i] /= total;
    }
}

struct Sum {
    float value, lost;

    __device__ void add(float x)
    {
        const float y = x - lost, next = value + y;
        lost = (next - value) - y;
        value = next;
    }
};

__global__ void compensated(const float* in, int n, float* out)
{
    __shared__ Sum sums[64];
    Sum mine{0, 0};
    for (int i = threadIdx.x; i < n; i += 64) {
        mine.add(in[i]);
    }
    sums[threadIdx.x] = mine;
    for (int half = 32; half > 0; half /= 2) {
        __syncthreads();
        if (threadIdx.x < half) {
            sums[threadIdx.x].add(sums[threadIdx.x + half].value);
            sums[threadIdx.x].add(-sums[threadIdx.x + half].lost);
        }
    }
    if (threadIdx.x == 0) {
        *out = sums[0].value;
    }
}

int whole_numbers()
{
    const int n = 1000, keys = 10;
    const std::vector<int> in = integers(n, 100), key = integers(n, keys, 3);
    int *d_in = upload(in), *d_key = upload(key), *d_sums = allocate<int>(4);
    int *d_out = allocate<int>(1), *d_by_key = zeros<int>(keys);
    unsigned* d_finished = zeros<unsigned>(1);
    last_block_adds<<<4, threads>>>(d_in, n, d_sums, d_finished, d_out);
    sums_by_key<<<8, threads>>>(d_key, d_in, n, d_by_key);
    for (int* pointer : {d_in, d_key, d_sums}) {
        cudaFree(pointer);
    }
    cudaFree(d_finished);
    std::vector<int> total(1), by_key(keys);
    for (int i = 0; i < n; i++) {
        total[0] += in[i];
        by_key[key[i]] += in[i];
    }
    return differs("sum", download(d_out, 1), total) +
           differs("key", download(d_by_key, keys), by_key);
}

int real_numbers()
{
    const int n = 500, blocks = 4;
    const std::vector<float> in = fractions(n);
    float *d_in = upload(in), *d_largest = allocate<float>(blocks), *d_sum = allocate<float>(1);
    auto* d_best = upload(std::vector<unsigned long long>{~0ull});
    tiles_of_groups<<<blocks, threads>>>(d_in, n, d_largest);
    place_of_minimum<<<blocks, threads>>>(d_in, n, d_best);
    compensated<<<1, 64>>>(d_in, n, d_sum);
    float* d_partial = allocate<float>(blocks * threads / 32);
    int count = n;
    void* arguments[] = {&d_in, &count, &d_partial};
    cudaLaunchCooperativeKernel(reinterpret_cast<void*>(normalise), dim3(blocks), dim3(threads),
                                arguments, 0, nullptr);
    cudaFree(d_partial);
    std::vector<float> largest, normal;
    double sum = 0;
    for (float value : in) {
        sum += value;
    }
    for (int b = 0; b < blocks; b++) {
        largest.push_back(*std::max_element(in.begin() + b * threads,
                                            in.begin() + std::min(n, (b + 1) * threads)));
    }
    for (float value : in) {
        normal.push_back(value / sum);
    }
    const int place = std::min_element(in.begin(), in.end()) - in.begin();
    const int found = download(d_best, 1)[0] & 0xffffffffu;
    return differs("largest", download(d_largest, blocks), largest) +
           differs("place", std::vector<int>{found}, {place}) +
           differs("compensated", download(d_sum, 1), {static_cast<float>(sum)}, 1e-6) +
           differs("normal", download(d_in, n), normal, 1e-4);
}

int main()
{
    const int failures = whole_numbers() + real_numbers();
#ifndef REPAIRED
    return 0;
#endif
    return failures;
}
