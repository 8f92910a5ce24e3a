// verdict: race
// race: lines 80 and 89, variable hx, shared
// race: lines 80 and 89, variable ez, shared
// race: lines 83 and 89, variable hy, shared
// race: lines 83 and 89, variable ez, shared
// repaired: clean
// Fluids: advection that looks backwards, pressure by Jacobi steps, a lattice Boltzmann step that
// pulls, electromagnetic fields on staggered grids, and the largest velocity for the time step.
// The electric field of a tile is updated while other warps still compute curls from it.
// Repaired: a barrier between the two half steps.
#include <algorithm>
#include "../common/device_data.h"

constexpr int side = 24, cells = side * side;

__device__ __host__ inline int wrapped(int x, int y)
{
    return (y + side) % side * side + (x + side) % side;
}

__device__ __host__ inline float sample(const float* field, float x, float y)
{
    const int left = static_cast<int>(floorf(x)), top = static_cast<int>(floorf(y));
    const float fx = x - left, fy = y - top;
    return (1 - fy) * ((1 - fx) * field[wrapped(left, top)] + fx * field[wrapped(left + 1, top)]) +
           fy * ((1 - fx) * field[wrapped(left, top + 1)] + fx * field[wrapped(left + 1, top + 1)]);
}

__global__ void advect(const float* u, const float* v, const float* in, float* out, float dt)
{
    const int x = threadIdx.x, y = blockIdx.x, at = y * side + x;
    out[at] = sample(in, x - dt * u[at], y - dt * v[at]);
}

__global__ void pressure_step(const float* in, const float* divergence, float* out)
{
    const int x = threadIdx.x, y = blockIdx.x;
    out[y * side + x] = 0.25f * (in[wrapped(x - 1, y)] + in[wrapped(x + 1, y)] + in[wrapped(x, y - 1)] +
                                 in[wrapped(x, y + 1)] - divergence[y * side + x]);
}

__constant__ int dx[9] = {0, 1, 0, -1, 0, 1, -1, -1, 1};
__constant__ int dy[9] = {0, 0, 1, 0, -1, 1, 1, -1, -1};

__device__ __host__ inline float weight(int k)
{
    return k == 0 ? 4.0f / 9 : k < 5 ? 1.0f / 9 : 1.0f / 36;
}

__global__ void lattice_step(const float* in, float* out)
{
    const int x = threadIdx.x, y = blockIdx.x;
    float f[9], density = 0, u = 0, v = 0;
    for (int k = 0; k < 9; k++) {
        f[k] = in[k * cells + wrapped(x - dx[k], y - dy[k])];
        density += f[k];
        u += dx[k] * f[k];
        v += dy[k] * f[k];
    }
    u /= density;
    v /= density;
    for (int k = 0; k < 9; k++) {
        const float along = 3 * (dx[k] * u + dy[k] * v);
        const float rest = density * weight(k) * (1 + along + along * along / 2 - 1.5f * (u * u + v * v));
        out[k * cells + y * side + x] = f[k] + 0.6f * (rest - f[k]);
    }
}

// Several time steps of a block's own box with conducting walls.
__global__ void fields(float* e, int steps)
{
    __shared__ float ez[16][16], hx[16][16], hy[16][16];
    const int x = threadIdx.x, y = threadIdx.y;
    float* mine = e + blockIdx.x * 256 + y * 16 + x;
    ez[y][x] = *mine;
    hx[y][x] = hy[y][x] = 0;
    for (int step = 0; step < steps; step++) {
        __syncthreads();
        if (y < 15) {
            hx[y][x] -= 0.5f * (ez[y + 1][x] - ez[y][x]);
        }
        if (x < 15) {
            hy[y][x] += 0.5f * (ez[y][x + 1] - ez[y][x]);
        }
#ifdef REPAIRED
        __syncthreads();
#endif
        if (x > 0 && y > 0 && x < 15 && y < 15) {
            ez[y][x] += 0.5f * (hy[y][x] - hy[y][x - 1] - hx[y][x] + hx[y - 1][x]);
        }
    }
    __syncthreads();
    *mine = ez[y][x];
}

__global__ void largest(const float* u, const float* v, int* bits)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    float speed = i < cells ? hypotf(u[i], v[i]) : 0;
    for (int offset = 16; offset > 0; offset /= 2) {
        speed = fmaxf(speed, __shfl_xor_sync(~0u, speed, offset));
    }
    if (threadIdx.x % 32 == 0) {
        atomicMax(bits, __float_as_int(speed));
    }
}

int transport(const std::vector<float>& u, const std::vector<float>& v, float* d_u, float* d_v)
{
    const std::vector<float> in = fractions(cells, 5);
    float *d_in = upload(in), *d_out = allocate<float>(cells), *d_p = zeros<float>(cells);
    float* d_q = allocate<float>(cells);
    int* d_bits = zeros<int>(1);
    advect<<<side, side>>>(d_u, d_v, d_in, d_out, 2);
    std::vector<float> p(cells), q(cells), moved;
    for (int step = 0; step < 4; step++) {
        pressure_step<<<side, side>>>(d_p, d_in, d_q);
        std::swap(d_p, d_q);
        for (int i = 0; i < cells; i++) {
            const int x = i % side, y = i / side;
            q[i] = 0.25f * (p[wrapped(x - 1, y)] + p[wrapped(x + 1, y)] + p[wrapped(x, y - 1)] +
                            p[wrapped(x, y + 1)] - in[i]);
        }
        std::swap(p, q);
    }
    largest<<<5, 128>>>(d_u, d_v, d_bits);
    cudaFree(d_in);
    cudaFree(d_q);
    float speed = 0;
    for (int i = 0; i < cells; i++) {
        moved.push_back(sample(in.data(), i % side - 2 * u[i], i / side - 2 * v[i]));
        speed = std::max(speed, std::hypot(u[i], v[i]));
    }
    float got;
    cudaMemcpy(&got, d_bits, sizeof(got), cudaMemcpyDeviceToHost);
    cudaFree(d_bits);
    return differs("moved", download(d_out, cells), moved, 1e-4) +
           differs("pressure", download(d_p, cells), p, 1e-4) +
           differs("speed", std::vector<float>{got}, {speed}, 1e-5);
}

int lattice()
{
    std::vector<float> f;
    for (float x : fractions(9 * cells, 8)) {
        f.push_back(weight(f.size() / cells) * (1 + 0.1f * x));
    }
    float *d_in = upload(f), *d_out = allocate<float>(f.size());
    double before = 0, after = 0;
    for (float x : f) {
        before += x;
    }
    for (int step = 0; step < 3; step++) {
        lattice_step<<<side, side>>>(d_in, d_out);
        std::swap(d_in, d_out);
    }
    cudaFree(d_out);
    for (float x : download(d_in, f.size())) {
        after += x;
    }
    return differs("mass", std::vector<double>{after}, {before}, 1e-5);
}

int waves()
{
    const int boxes = 2, steps = 5;
    const std::vector<float> in = fractions(boxes * 256, 2);
    std::vector<float> expected = in;
    float* d_e = upload(in);
    fields<<<boxes, dim3(16, 16)>>>(d_e, steps);
    for (int box = 0; box < boxes; box++) {
        float* e = &expected[box * 256];
        std::vector<float> hx(256), hy(256);
        for (int step = 0; step < steps; step++) {
            for (int i = 0; i < 256; i++) {
                hx[i] -= i / 16 < 15 ? 0.5f * (e[i + 16] - e[i]) : 0;
                hy[i] += i % 16 < 15 ? 0.5f * (e[i + 1] - e[i]) : 0;
            }
            for (int i = 0; i < 256; i++) {
                const int x = i % 16, y = i / 16;
                if (x > 0 && y > 0 && x < 15 && y < 15) {
                    e[i] += 0.5f * (hy[i] - hy[i - 1] - hx[i] + hx[i - 16]);
                }
            }
        }
    }
    return differs("field", download(d_e, in.size()), expected, 1e-4);
}

int main()
{
    std::vector<float> u, v;
    for (int i = 0; i < cells; i++) {
        u.push_back(std::sin(0.3f * (i / side)));
        v.push_back(std::cos(0.2f * (i % side)));
    }
    float *d_u = upload(u), *d_v = upload(v);
    const int failures = transport(u, v, d_u, d_v) + lattice() + waves();
    cudaFree(d_u);
    cudaFree(d_v);
#ifndef REPAIRED
    return 0;
#endif
    return failures;
}
