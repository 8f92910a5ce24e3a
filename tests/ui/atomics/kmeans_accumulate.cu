// verdict: race
// race: lines 41 and 41, variable sum_x, global
// race: lines 42 and 42, variable sum_y, global
// race: lines 43 and 43, variable members, global
// repaired: clean
// One step of k-means: points are assigned to the nearest centre and summed per cluster.
// Sums and counts of a cluster are updated by plain read-modify-writes.
// Repaired: sums and counts are updated atomically.
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

constexpr int clusters = 5;

__host__ __device__ int nearest(int2 point, const int2* centre)
{
    int best = 0, best_distance = 1 << 30;
    for (int c = 0; c < clusters; c++) {
        const int2 middle = centre[c];
        const int dx = point.x - middle.x, dy = point.y - middle.y;
        if (dx * dx + dy * dy < best_distance) {
            best_distance = dx * dx + dy * dy;
            best = c;
        }
    }
    return best;
}

__global__ void accumulate(const int2* points, int n, const int2* centre, int* sum_x, int* sum_y,
                           int* members)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        const int2 point = points[i];
        const int c = nearest(point, centre);
#ifdef REPAIRED
        atomicAdd(&sum_x[c], point.x);
        atomicAdd(&sum_y[c], point.y);
        atomicAdd(&members[c], 1);
#else
        sum_x[c] += point.x;
        sum_y[c] += point.y;
        members[c]++;
#endif
    }
}

int main()
{
    const int n = 400;
    std::vector<int2> points(n), centre(clusters);
    std::vector<int> result(3 * clusters), expected(3 * clusters);
    for (int c = 0; c < clusters; c++) {
        centre[c] = make_int2(20 * c, 15 * (c % 3));
    }
    for (int i = 0; i < n; i++) {
        points[i] = make_int2((i * 17) % 101, (i * 29) % 47);
        const int c = nearest(points[i], centre.data());
        expected[c] += points[i].x;
        expected[clusters + c] += points[i].y;
        expected[2 * clusters + c]++;
    }
    int2 *d_points, *d_centre;
    int* d_result;
    cudaMalloc(&d_points, n * sizeof(int2));
    cudaMalloc(&d_centre, clusters * sizeof(int2));
    cudaMalloc(&d_result, 3 * clusters * sizeof(int));
    cudaMemcpy(d_points, points.data(), n * sizeof(int2), cudaMemcpyHostToDevice);
    cudaMemcpy(d_centre, centre.data(), clusters * sizeof(int2), cudaMemcpyHostToDevice);
    cudaMemset(d_result, 0, 3 * clusters * sizeof(int));
    int *d_x = d_result, *d_y = d_result + clusters, *d_members = d_result + 2 * clusters;
    accumulate<<<(n + 95) / 96, 96>>>(d_points, n, d_centre, d_x, d_y, d_members);
    cudaMemcpy(result.data(), d_result, 3 * clusters * sizeof(int), cudaMemcpyDeviceToHost);
    cudaFree(d_points);
    cudaFree(d_centre);
    cudaFree(d_result);
#ifdef REPAIRED
    if (result != expected) {
        fprintf(stderr, "wrong sums\n");
        return 1;
    }
#endif
    printf("assigned %d points\n", n);
    return 0;
}
