// verdict: race
// race: lines 35 and 43, variable x, shared
// race: lines 36 and 44, variable y, shared
// race: lines 37 and 45, variable members, shared
// repaired: clean
// Clusters: the nearest of k centres, sums of their members in shared memory, and new centres.
// The sums of a block are added to the total before all warps have contributed.
// Repaired: a barrier before they are added.
#include "../common/device_data.h"

constexpr int k = 8;

__global__ void assign(const float2* points, int n, const float2* centres, int* nearest, float* sums)
{
    __shared__ float2 local[k];
    __shared__ float x[k], y[k], members[k];
    const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    if (t < k) {
        local[t] = centres[t];
        x[t] = y[t] = members[t] = 0;
    }
    __syncthreads();
    if (i < n) {
        const float2 p = points[i];
        int best = 0;
        float distance = 1e30f;
        for (int c = 0; c < k; c++) {
            const float dx = p.x - local[c].x, dy = p.y - local[c].y;
            if (dx * dx + dy * dy < distance) {
                distance = dx * dx + dy * dy;
                best = c;
            }
        }
        nearest[i] = best;
        atomicAdd(&x[best], p.x);
        atomicAdd(&y[best], p.y);
        atomicAdd(&members[best], 1.0f);
    }
#ifdef REPAIRED
    __syncthreads();
#endif
    if (t < k) {
        atomicAdd(&sums[t], x[t]);
        atomicAdd(&sums[k + t], y[t]);
        atomicAdd(&sums[2 * k + t], members[t]);
    }
}

__global__ void move_centres(float2* centres, float* sums)
{
    const int c = threadIdx.x;
    if (sums[2 * k + c] > 0) {
        centres[c] = make_float2(sums[c] / sums[2 * k + c], sums[k + c] / sums[2 * k + c]);
    }
    sums[c] = sums[k + c] = sums[2 * k + c] = 0;
}

int main()
{
    const int n = 200, threads = 128;
    const std::vector<float> numbers = fractions(2 * n, 17);
    std::vector<float2> points, centres;
    for (int i = 0; i < n; i++) {
        points.push_back(make_float2(numbers[2 * i], numbers[2 * i + 1]));
    }
    centres.assign(points.begin(), points.begin() + k);
    float2 *d_points = upload(points), *d_centres = upload(centres);
    int* d_nearest = allocate<int>(n);
    float* d_sums = zeros<float>(3 * k);
    std::vector<int> expected(n);
    for (int step = 0; step < 3; step++) {
        assign<<<(n + threads - 1) / threads, threads>>>(d_points, n, d_centres, d_nearest, d_sums);
        move_centres<<<1, k>>>(d_centres, d_sums);
        std::vector<float> x(k), y(k), members(k);
        for (int i = 0; i < n; i++) {
            float distance = 1e30f;
            for (int c = 0; c < k; c++) {
                const float dx = points[i].x - centres[c].x, dy = points[i].y - centres[c].y;
                if (dx * dx + dy * dy < distance) {
                    distance = dx * dx + dy * dy;
                    expected[i] = c;
                }
            }
            x[expected[i]] += points[i].x;
            y[expected[i]] += points[i].y;
            members[expected[i]]++;
        }
        for (int c = 0; c < k; c++) {
            centres[c] = make_float2(x[c] / members[c], y[c] / members[c]);
        }
    }
    cudaFree(d_points);
    cudaFree(d_centres);
    cudaFree(d_sums);
    const int failures = differs("nearest", download(d_nearest, n), expected);
#ifndef REPAIRED
    return 0;
#endif
    return failures;
}
