// verdict: race
// race: lines 28 and 32, variable tile, shared
// repaired: clean
// Particles: all pairs through tiles, cell lists, a leapfrog integration with neighbour lists, and
// the total energy.
// A tile of positions is overwritten while other warps still use it.
// Repaired: a barrier at the end of each tile.
#include "../common/device_data.h"

constexpr int threads = 64;

__device__ float3 pull(float4 from, float4 to)
{
    const float dx = to.x - from.x, dy = to.y - from.y, dz = to.z - from.z;
    const float inverse = rsqrtf(dx * dx + dy * dy + dz * dz + 0.01f);
    const float f = to.w * inverse * inverse * inverse;
    return make_float3(f * dx, f * dy, f * dz);
}

__global__ void all_pairs(const float4* bodies, float3* forces, int n)
{
    __shared__ float4 tile[threads];
    const int i = blockIdx.x * threads + threadIdx.x;
    const float4 mine = i < n ? bodies[i] : make_float4(0, 0, 0, 0);
    float3 sum = make_float3(0, 0, 0);
    for (int first = 0; first < n; first += threads) {
        const int j = first + threadIdx.x;
        tile[threadIdx.x] = j < n ? bodies[j] : make_float4(0, 0, 0, 0);
        __syncthreads();
#pragma unroll 4
        for (int k = 0; k < threads; k++) {
            const float3 f = pull(mine, tile[k]);
            sum.x += f.x;
            sum.y += f.y;
            sum.z += f.z;
        }
#ifdef REPAIRED
        __syncthreads();
#endif
    }
    if (i < n) {
        forces[i] = sum;
    }
}

constexpr int side = 4, cells = side * side * side;

__device__ int cell_of(float4 body)
{
    const int x = min(side - 1, static_cast<int>(body.x * side));
    const int y = min(side - 1, static_cast<int>(body.y * side));
    const int z = min(side - 1, static_cast<int>(body.z * side));
    return (z * side + y) * side + x;
}

__global__ void count_cells(const float4* bodies, int* counts, int* rank, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        rank[i] = atomicAdd(&counts[cell_of(bodies[i])], 1);
    }
}

__global__ void first_of_cells(const int* counts, int* first)
{
    __shared__ int sums[cells];
    const int t = threadIdx.x;
    sums[t] = counts[t];
    for (int distance = 1; distance < cells; distance *= 2) {
        __syncthreads();
        const int before = t >= distance ? sums[t - distance] : 0;
        __syncthreads();
        sums[t] += before;
    }
    first[t + 1] = sums[t];
    if (t == 0) {
        first[0] = 0;
    }
}

__global__ void arrange(const float4* bodies, const int* first, const int* rank, float4* sorted, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        sorted[first[cell_of(bodies[i])] + rank[i]] = bodies[i];
    }
}

// How many bodies are closer than a cell's width; one block for each cell.
__global__ void near_bodies(const float4* sorted, const int* first, int* pairs)
{
    const int cell = blockIdx.x, x = cell % side, y = cell / side % side, z = cell / (side * side);
    int found = 0;
    for (int i = first[cell] + threadIdx.x; i < first[cell + 1]; i += blockDim.x) {
        for (int other = 0; other < 27; other++) {
            const int ox = x + other % 3 - 1, oy = y + other / 3 % 3 - 1, oz = z + other / 9 - 1;
            if (ox < 0 || oy < 0 || oz < 0 || ox >= side || oy >= side || oz >= side) {
                continue;
            }
            const int next = (oz * side + oy) * side + ox;
            for (int j = first[next]; j < first[next + 1]; j++) {
                const float dx = sorted[i].x - sorted[j].x, dy = sorted[i].y - sorted[j].y;
                const float dz = sorted[i].z - sorted[j].z;
                found += j != i && dx * dx + dy * dy + dz * dz < 1.0f / (side * side);
            }
        }
    }
    for (int offset = 16; offset > 0; offset /= 2) {
        found += __shfl_down_sync(~0u, found, offset);
    }
    if (threadIdx.x == 0 && found > 0) {
        atomicAdd(pairs, found);
    }
}

__global__ void leapfrog(float4* bodies, float3* velocities, const float3* forces, float dt, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        velocities[i].x += dt * forces[i].x;
        velocities[i].y += dt * forces[i].y;
        velocities[i].z += dt * forces[i].z;
        bodies[i].x += dt * velocities[i].x;
        bodies[i].y += dt * velocities[i].y;
        bodies[i].z += dt * velocities[i].z;
    }
}

// The sum over blocks of a warp's sums in shared memory.
__global__ void kinetic(const float4* bodies, const float3* velocities, float* energy, int n)
{
    __shared__ float sums[threads / 32];
    const int i = blockIdx.x * threads + threadIdx.x;
    float e = 0;
    if (i < n) {
        const float3 v = velocities[i];
        e = 0.5f * bodies[i].w * (v.x * v.x + v.y * v.y + v.z * v.z);
    }
    for (int offset = 16; offset > 0; offset /= 2) {
        e += __shfl_down_sync(~0u, e, offset);
    }
    if (threadIdx.x % 32 == 0) {
        sums[threadIdx.x / 32] = e;
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        for (int warp = 1; warp < threads / 32; warp++) {
            e += sums[warp];
        }
        atomicAdd(energy, e);
    }
}

std::vector<float4> random_bodies(int n)
{
    const std::vector<float> numbers = fractions(4 * n);
    std::vector<float4> bodies;
    for (int i = 0; i < n; i++) {
        bodies.push_back(make_float4(numbers[4 * i], numbers[4 * i + 1], numbers[4 * i + 2],
                                     0.01f + 0.01f * numbers[4 * i + 3]));
    }
    return bodies;
}

int motion()
{
    const int n = 150, blocks = (n + threads - 1) / threads;
    std::vector<float4> bodies = random_bodies(n);
    std::vector<float3> velocities(n, make_float3(0, 0, 0));
    float4* d_bodies = upload(bodies);
    float3 *d_velocities = upload(velocities), *d_forces = allocate<float3>(n);
    float* d_energy = zeros<float>(1);
    const float dt = 0.01f;
    for (int step = 0; step < 2; step++) {
        all_pairs<<<blocks, threads>>>(d_bodies, d_forces, n);
        leapfrog<<<blocks, threads>>>(d_bodies, d_velocities, d_forces, dt, n);
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < n; j++) {
                const float dx = bodies[j].x - bodies[i].x, dy = bodies[j].y - bodies[i].y;
                const float dz = bodies[j].z - bodies[i].z;
                const float r2 = dx * dx + dy * dy + dz * dz + 0.01f;
                const float f = dt * bodies[j].w / (r2 * std::sqrt(r2));
                velocities[i].x += f * dx;
                velocities[i].y += f * dy;
                velocities[i].z += f * dz;
            }
        }
        for (int i = 0; i < n; i++) {
            bodies[i].x += dt * velocities[i].x;
            bodies[i].y += dt * velocities[i].y;
            bodies[i].z += dt * velocities[i].z;
        }
    }
    kinetic<<<blocks, threads>>>(d_bodies, d_velocities, d_energy, n);
    float energy = 0;
    for (int i = 0; i < n; i++) {
        const float3 v = velocities[i];
        energy += 0.5f * bodies[i].w * (v.x * v.x + v.y * v.y + v.z * v.z);
    }
    cudaFree(d_velocities);
    cudaFree(d_forces);
    std::vector<float> got, expected;
    for (float4 body : download(d_bodies, n)) {
        got.insert(got.end(), {body.x, body.y, body.z});
    }
    for (float4 body : bodies) {
        expected.insert(expected.end(), {body.x, body.y, body.z});
    }
    return differs("positions", got, expected, 1e-4) +
           differs("energy", download(d_energy, 1), {energy}, 1e-3);
}

int cell_lists()
{
    const int n = 200, blocks = (n + threads - 1) / threads;
    const std::vector<float4> bodies = random_bodies(n);
    float4 *d_bodies = upload(bodies), *d_sorted = allocate<float4>(n);
    int *d_counts = zeros<int>(cells), *d_first = allocate<int>(cells + 1);
    int *d_rank = allocate<int>(n), *d_pairs = zeros<int>(1);
    count_cells<<<blocks, threads>>>(d_bodies, d_counts, d_rank, n);
    first_of_cells<<<1, cells>>>(d_counts, d_first);
    arrange<<<blocks, threads>>>(d_bodies, d_first, d_rank, d_sorted, n);
    near_bodies<<<cells, 32>>>(d_sorted, d_first, d_pairs);
    for (int* pointer : {d_counts, d_first, d_rank}) {
        cudaFree(pointer);
    }
    cudaFree(d_bodies);
    cudaFree(d_sorted);
    int expected = 0;
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            const float dx = bodies[i].x - bodies[j].x, dy = bodies[i].y - bodies[j].y;
            const float dz = bodies[i].z - bodies[j].z;
            expected += i != j && dx * dx + dy * dy + dz * dz < 1.0f / (side * side);
        }
    }
    return differs("pairs", download(d_pairs, 1), {expected});
}

int main()
{
    const int failures = motion() + cell_lists();
#ifndef REPAIRED
    return 0;
#endif
    return failures;
}
