// verdict: race
// race: lines 34 and 35, variable buffer, global
// race-also: lines 35 and 35, variable buffer, global
// repaired: clean
// Geometry: a depth buffer of 64-bit minima, jump flooding, marching squares with reserved places,
// points in a polygon, and distances through rows and columns.
// Two triangles compete for a pixel with a comparison and a plain store.
// Repaired: atomicMin of depth and colour in 64 bits.
#include <algorithm>
#include "../common/device_data.h"

constexpr int side = 32, pixels = side * side;

struct Triangle {
    int x[3], y[3], depth;
};

// One block for each triangle, a thread for each pixel of its box.
__global__ void rasterise(const Triangle* triangles, unsigned long long* buffer)
{
    const Triangle t = triangles[blockIdx.x];
    for (int pixel = threadIdx.x; pixel < pixels; pixel += blockDim.x) {
        const int x = pixel % side, y = pixel / side;
        bool inside = true;
        for (int k = 0; k < 3; k++) {
            const int next = (k + 1) % 3;
            inside = inside && (t.x[next] - t.x[k]) * (y - t.y[k]) - (t.y[next] - t.y[k]) * (x - t.x[k]) >= 0;
        }
        if (inside) {
            const unsigned long long value = static_cast<unsigned long long>(t.depth) << 32 | blockIdx.x;
#ifdef REPAIRED
            atomicMin(&buffer[pixel], value);
#else
            if (value < buffer[pixel]) {
                buffer[pixel] = value;
            }
#endif
        }
    }
}

// Each pixel asks its neighbours at a distance for a nearer seed.
__global__ void flood(const short2* in, short2* out, int step)
{
    const int x = threadIdx.x, y = blockIdx.x;
    short2 best = in[y * side + x];
    int nearest = best.x < 0 ? 1 << 30 : (best.x - x) * (best.x - x) + (best.y - y) * (best.y - y);
    for (int k = 0; k < 9; k++) {
        const int ox = x + (k % 3 - 1) * step, oy = y + (k / 3 - 1) * step;
        if (ox >= 0 && oy >= 0 && ox < side && oy < side) {
            const short2 seed = in[oy * side + ox];
            const int distance = (seed.x - x) * (seed.x - x) + (seed.y - y) * (seed.y - y);
            if (seed.x >= 0 && distance < nearest) {
                nearest = distance;
                best = seed;
            }
        }
    }
    out[y * side + x] = best;
}

__device__ const unsigned char segments_of_case[16] = {0, 1, 1, 1, 1, 2, 1, 1, 1, 1, 2, 1, 1, 1, 1, 0};

__global__ void marching_squares(const float* field, float level, int* cells, int* count)
{
    const int x = threadIdx.x, y = blockIdx.x, at = y * side + x;
    int kind = 0;
    if (x + 1 < side) {
        kind = (field[at] > level) | (field[at + 1] > level) << 1 | (field[at + side + 1] > level) << 2 |
               (field[at + side] > level) << 3;
    }
    const int mine = segments_of_case[kind];
    int before = mine;
    for (int distance = 1; distance < 32; distance *= 2) {
        const int other = __shfl_up_sync(~0u, before, distance);
        before += threadIdx.x >= distance ? other : 0;
    }
    int base = 0;
    if (threadIdx.x == 31) {
        base = atomicAdd(count, before);
    }
    base = __shfl_sync(~0u, base, 31) + before - mine;
    for (int k = 0; k < mine; k++) {
        cells[base + k] = at;
    }
}

// The edges of the polygon come in tiles.
__global__ void inside_polygon(const float2* corners, int n, const float2* points, bool* inside, int count)
{
    __shared__ float2 tile[33];
    const int i = blockIdx.x * 32 + threadIdx.x;
    const float2 p = i < count ? points[i] : make_float2(0, 0);
    bool odd = false;
    for (int first = 0; first < n; first += 32) {
        for (int k = threadIdx.x; k < 33; k += 32) {
            tile[k] = corners[(first + k) % n];
        }
        __syncwarp();
        for (int k = 0; k < 32 && first + k < n; k++) {
            const float2 a = tile[k], b = tile[k + 1];
            if ((a.y > p.y) != (b.y > p.y) && p.x < (b.x - a.x) * (p.y - a.y) / (b.y - a.y) + a.x) {
                odd = !odd;
            }
        }
        __syncwarp();
    }
    if (i < count) {
        inside[i] = odd;
    }
}

// Squared distance to the nearest set pixel: along rows, then along columns.
__global__ void row_distances(const bool* set, int* out)
{
    __shared__ bool row[side];
    const int x = threadIdx.x;
    row[x] = set[blockIdx.x * side + x];
    __syncthreads();
    int best = side;
    for (int k = 0; k < side; k++) {
        best = row[k] ? min(best, abs(k - x)) : best;
    }
    out[blockIdx.x * side + x] = best;
}

__global__ void column_distances(const int* in, int* out)
{
    const int x = threadIdx.x, y = blockIdx.x;
    int best = 1 << 30;
    for (int k = 0; k < side; k++) {
        const int distance = in[k * side + x];
        if (distance < side) {
            best = min(best, distance * distance + (k - y) * (k - y));
        }
    }
    out[y * side + x] = best;
}

int depths()
{
    const int count = 12;
    const std::vector<int> numbers = integers(7 * count, side);
    std::vector<Triangle> triangles(count);
    std::vector<unsigned long long> expected(pixels, ~0ull);
    for (int i = 0; i < count; i++) {
        Triangle& t = triangles[i];
        std::copy_n(&numbers[7 * i], 3, t.x);
        std::copy_n(&numbers[7 * i + 3], 3, t.y);
        t.depth = numbers[7 * i + 6];
        if ((t.x[1] - t.x[0]) * (t.y[2] - t.y[0]) - (t.y[1] - t.y[0]) * (t.x[2] - t.x[0]) < 0) {
            std::swap(t.x[1], t.x[2]);
            std::swap(t.y[1], t.y[2]);
        }
        for (int pixel = 0; pixel < pixels; pixel++) {
            bool inside = true;
            for (int k = 0; k < 3; k++) {
                const int next = (k + 1) % 3;
                inside = inside && (t.x[next] - t.x[k]) * (pixel / side - t.y[k]) -
                                           (t.y[next] - t.y[k]) * (pixel % side - t.x[k]) >= 0;
            }
            if (inside) {
                expected[pixel] = std::min(expected[pixel], (t.depth + 0ull) << 32 | i);
            }
        }
    }
    Triangle* d_triangles = upload(triangles);
    auto* d_buffer = upload(std::vector<unsigned long long>(pixels, ~0ull));
    rasterise<<<count, 128>>>(d_triangles, d_buffer);
    cudaFree(d_triangles);
    return differs("depth", download(d_buffer, pixels), expected);
}

int distances()
{
    const std::vector<int> places = integers(6, pixels, 5);
    std::vector<short2> seeds(pixels, make_short2(-1, -1));
    bool set[pixels] = {};
    for (int place : places) {
        seeds[place] = make_short2(place % side, place / side);
        set[place] = true;
    }
    short2 *d_in = upload(seeds), *d_out = allocate<short2>(pixels);
    for (int step = side / 2; step > 0; step /= 2) {
        flood<<<side, side>>>(d_in, d_out, step);
        std::swap(d_in, d_out);
    }
    cudaFree(d_out);
    bool* d_set = allocate<bool>(pixels);
    cudaMemcpy(d_set, set, sizeof(set), cudaMemcpyHostToDevice);
    int *d_rows = allocate<int>(pixels), *d_squares = allocate<int>(pixels);
    row_distances<<<side, side>>>(d_set, d_rows);
    column_distances<<<side, side>>>(d_rows, d_squares);
    cudaFree(d_set);
    cudaFree(d_rows);
    std::vector<int> expected, flooded;
    for (int i = 0; i < pixels; i++) {
        int best = 1 << 30;
        for (int place : places) {
            const int dx = place % side - i % side, dy = place / side - i / side;
            best = std::min(best, dx * dx + dy * dy);
        }
        expected.push_back(best);
    }
    int more = 0;
    const std::vector<short2> nearest = download(d_in, pixels);
    for (int i = 0; i < pixels; i++) {
        const int dx = nearest[i].x - i % side, dy = nearest[i].y - i / side;
        more += dx * dx + dy * dy > expected[i];
    }
    return differs("distance", download(d_squares, pixels), expected) + (more > pixels / 20);
}

int contours()
{
    const std::vector<float> field = fractions(pixels, 3);
    float* d_field = upload(field);
    int *d_cells = allocate<int>(2 * pixels), *d_count = zeros<int>(1);
    marching_squares<<<side - 1, side>>>(d_field, 0.5f, d_cells, d_count);
    cudaFree(d_field);
    const int count = download(d_count, 1)[0];
    std::vector<int> got = download(d_cells, 2 * pixels), expected;
    got.resize(count);
    for (int y = 0; y + 1 < side; y++) {
        for (int x = 0; x + 1 < side; x++) {
            const int at = y * side + x;
            const bool a = field[at] > 0.5f, b = field[at + 1] > 0.5f;
            const bool c = field[at + side + 1] > 0.5f, d = field[at + side] > 0.5f;
            const int changes = (a != b) + (b != c) + (c != d) + (d != a);
            expected.insert(expected.end(), changes / 2, at);
        }
    }
    std::sort(got.begin(), got.end());
    return differs("cells", got, expected) + (got.size() != expected.size());
}

int polygons()
{
    const int corners = 50, count = 100;
    std::vector<float2> star, points;
    for (int k = 0; k < corners; k++) {
        const float angle = 2 * M_PI * k / corners, radius = k % 2 ? 0.2f : 0.5f;
        star.push_back(make_float2(0.5f + radius * std::cos(angle), 0.5f + radius * std::sin(angle)));
    }
    const std::vector<float> numbers = fractions(2 * count, 13);
    std::vector<int> expected, got;
    for (int i = 0; i < count; i++) {
        const float2 p = make_float2(numbers[2 * i], numbers[2 * i + 1]);
        points.push_back(p);
        bool odd = false;
        for (int k = 0; k < corners; k++) {
            const float2 a = star[k], b = star[(k + 1) % corners];
            if ((a.y > p.y) != (b.y > p.y) && p.x < (b.x - a.x) * (p.y - a.y) / (b.y - a.y) + a.x) {
                odd = !odd;
            }
        }
        expected.push_back(odd);
    }
    float2 *d_star = upload(star), *d_points = upload(points);
    bool* d_inside = allocate<bool>(count);
    inside_polygon<<<(count + 31) / 32, 32>>>(d_star, corners, d_points, d_inside, count);
    cudaFree(d_star);
    cudaFree(d_points);
    bool inside[count];
    cudaMemcpy(inside, d_inside, sizeof(inside), cudaMemcpyDeviceToHost);
    cudaFree(d_inside);
    got.assign(inside, inside + count);
    return differs("inside", got, expected);
}

int main()
{
    const int failures = depths() + distances() + contours() + polygons();
#ifndef REPAIRED
    return 0;
#endif
    return failures;
}
