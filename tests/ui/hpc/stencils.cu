// verdict: race
// race: lines 50 and 53, variable plane, shared
// race: lines 50 and 54, variable plane, shared
// repaired: clean
// Stencils: heat in two dimensions on tiles, seven points in three dimensions with a moving plane,
// several time steps in shared memory, red-black relaxation.
// The plane in shared memory is overwritten for the next z while other warps still read it.
// Repaired: a barrier at the end of each step in z.
#include "../common/device_data.h"

constexpr int tile = 16;

__global__ void heat_2d(const float* in, float* out, int width, int height)
{
    __shared__ float cells[tile + 2][tile + 2];
    const int x = blockIdx.x * tile + threadIdx.x, y = blockIdx.y * tile + threadIdx.y;
    const int sx = threadIdx.x + 1, sy = threadIdx.y + 1;
    auto at = [&](int column, int row) {
        const bool inside = column >= 0 && column < width && row >= 0 && row < height;
        return inside ? in[row * width + column] : 0.0f;
    };
    cells[sy][sx] = at(x, y);
    if (threadIdx.x == 0) {
        cells[sy][0] = at(x - 1, y);
        cells[sy][tile + 1] = at(x + tile, y);
    }
    if (threadIdx.y == 0) {
        cells[0][sx] = at(x, y - 1);
        cells[tile + 1][sx] = at(x, y + tile);
    }
    __syncthreads();
    if (x < width && y < height) {
        out[y * width + x] = cells[sy][sx] + 0.1f * (cells[sy][sx - 1] + cells[sy][sx + 1] +
                             cells[sy - 1][sx] + cells[sy + 1][sx] - 4 * cells[sy][sx]);
    }
}

__global__ void seven_points(const float* in, float* out, int nx, int ny, int nz)
{
    __shared__ float plane[tile][tile];
    const int tx = threadIdx.x, ty = threadIdx.y;
    const int x = blockIdx.x * (tile - 2) + tx, y = blockIdx.y * (tile - 2) + ty;
    const bool inside = x < nx && y < ny;
    const bool interior = inside && tx > 0 && tx < tile - 1 && ty > 0 && ty < tile - 1 &&
                          x < nx - 1 && y < ny - 1;
    const int at = y * nx + x, layer = nx * ny;
    float below = inside ? in[at] : 0, here = inside ? in[at + layer] : 0;
    for (int z = 1; z < nz - 1; z++) {
        const float above = inside ? in[at + (z + 1) * layer] : 0;
        plane[ty][tx] = here;
        __syncthreads();
        if (interior) {
            out[at + z * layer] = below + above + plane[ty][tx - 1] + plane[ty][tx + 1] +
                                  plane[ty - 1][tx] + plane[ty + 1][tx] - 6 * here;
        }
#ifdef REPAIRED
        __syncthreads();
#endif
        below = here;
        here = above;
    }
}

// Each block computes `steps` time steps of its part; the ends of what it loads become invalid.
template <int steps>
__global__ void time_blocked(const float* in, float* out, int n)
{
    extern __shared__ float both[];
    float *now = both, *next = both + blockDim.x;
    const int t = threadIdx.x, useful = blockDim.x - 2 * steps;
    const int i = blockIdx.x * useful + t - steps;
    now[t] = i >= 0 && i < n ? in[i] : 0;
    for (int step = 0; step < steps; step++) {
        __syncthreads();
        if (t > step && t < static_cast<int>(blockDim.x) - 1 - step) {
            const bool inside = i >= 0 && i < n;
            next[t] = inside ? 0.25f * now[t - 1] + 0.5f * now[t] + 0.25f * now[t + 1] : 0;
        }
        float* other = now;
        now = next;
        next = other;
    }
    if (t >= steps && t < static_cast<int>(blockDim.x) - steps && i < n) {
        out[i] = now[t];
    }
}

__global__ void red_black(float* u, const float* f, int n, int colour)
{
    const int x = blockIdx.x * blockDim.x + threadIdx.x + 1, y = blockIdx.y + 1;
    if (x < n - 1 && y < n - 1 && (x + y) % 2 == colour) {
        const int at = y * n + x;
        u[at] = 0.25f * (u[at - 1] + u[at + 1] + u[at - n] + u[at + n] + f[at]);
    }
}

int heat()
{
    const int width = 40, height = 24;
    const std::vector<float> in = fractions(width * height);
    float *d_in = upload(in), *d_out = allocate<float>(in.size());
    heat_2d<<<dim3(3, 2), dim3(tile, tile)>>>(d_in, d_out, width, height);
    cudaFree(d_in);
    std::vector<float> expected(in.size());
    for (int y = 0; y < height; y++) {
        for (int x = 0; x < width; x++) {
            auto at = [&](int c, int r) {
                return c >= 0 && c < width && r >= 0 && r < height ? in[r * width + c] : 0.0f;
            };
            expected[y * width + x] = at(x, y) + 0.1f * (at(x - 1, y) + at(x + 1, y) +
                                      at(x, y - 1) + at(x, y + 1) - 4 * at(x, y));
        }
    }
    return differs("heat", download(d_out, in.size()), expected, 1e-5);
}

int planes()
{
    const int nx = 30, ny = 16, nz = 6, layer = nx * ny;
    const std::vector<float> in = fractions(layer * nz);
    float *d_in = upload(in), *d_out = zeros<float>(in.size());
    seven_points<<<dim3(2, 1), dim3(tile, tile)>>>(d_in, d_out, nx, ny, nz);
    cudaFree(d_in);
    std::vector<float> expected(in.size());
    for (int z = 1; z < nz - 1; z++) {
        for (int y = 1; y < ny - 1; y++) {
            for (int x = 1; x < nx - 1; x++) {
                const int at = (z * ny + y) * nx + x;
                expected[at] = in[at - layer] + in[at + layer] + in[at - 1] + in[at + 1] +
                               in[at - nx] + in[at + nx] - 6 * in[at];
            }
        }
    }
    return differs("planes", download(d_out, in.size()), expected, 1e-4);
}

int time_steps()
{
    const int n = 200, steps = 4, threads = 64;
    const std::vector<float> in = fractions(n);
    float *d_in = upload(in), *d_out = allocate<float>(n);
    const int useful = threads - 2 * steps;
    time_blocked<steps><<<(n + useful - 1) / useful, threads, 2 * threads * sizeof(float)>>>(
        d_in, d_out, n);
    cudaFree(d_in);
    std::vector<float> expected = in;
    for (int step = 0; step < steps; step++) {
        const std::vector<float> old = expected;
        for (int i = 0; i < n; i++) {
            expected[i] = 0.25f * (i > 0 ? old[i - 1] : 0) + 0.5f * old[i] +
                          0.25f * (i + 1 < n ? old[i + 1] : 0);
        }
    }
    return differs("time steps", download(d_out, n), expected, 1e-5);
}

int relaxation()
{
    const int n = 34;
    std::vector<float> u(n * n), f = fractions(n * n);
    float *d_u = upload(u), *d_f = upload(f);
    for (int sweep = 0; sweep < 6; sweep++) {
        red_black<<<dim3(1, n - 2), 32>>>(d_u, d_f, n, sweep % 2);
        for (int y = 1; y < n - 1; y++) {
            for (int x = 1; x < n - 1; x++) {
                if ((x + y) % 2 == sweep % 2) {
                    const int at = y * n + x;
                    u[at] = 0.25f * (u[at - 1] + u[at + 1] + u[at - n] + u[at + n] + f[at]);
                }
            }
        }
    }
    cudaFree(d_f);
    return differs("relaxation", download(d_u, u.size()), u, 1e-5);
}

int main()
{
    const int failures = heat() + planes() + time_steps() + relaxation();
#ifndef REPAIRED
    return 0;
#endif
    return failures;
}
