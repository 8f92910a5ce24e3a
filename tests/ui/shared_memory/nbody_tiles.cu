// verdict: race
// race: lines 22 and 25, variable s_bodies, shared
// repaired: clean
// All-pairs forces: bodies are staged tile by tile in shared memory as float4.
// The next tile overwrites bodies that slower warps have not used yet.
// Repaired: one barrier before and one after the use of each tile.
#include <cmath>
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

constexpr int tile = 64;
constexpr int bodies = 256;

__global__ void forces(const float4* body, float3* force)
{
    __shared__ float4 s_bodies[tile];
    const int i = blockIdx.x * tile + threadIdx.x;
    const float4 me = body[i];
    float3 sum = make_float3(0.0f, 0.0f, 0.0f);
    for (int first = 0; first < bodies; first += tile) {
        s_bodies[threadIdx.x] = body[first + threadIdx.x];
        __syncthreads();
        for (int k = 0; k < tile; k++) {
            const float4 other = s_bodies[k];
            const float dx = other.x - me.x, dy = other.y - me.y, dz = other.z - me.z;
            const float distance2 = dx * dx + dy * dy + dz * dz + 0.01f;
            const float inverse = 1.0f / sqrtf(distance2);
            const float strength = other.w * inverse * inverse * inverse;
            sum.x += strength * dx;
            sum.y += strength * dy;
            sum.z += strength * dz;
        }
#ifdef REPAIRED
        __syncthreads();
#endif
    }
    force[i] = sum;
}

int main()
{
    std::vector<float4> body(bodies);
    std::vector<float3> force(bodies);
    for (int i = 0; i < bodies; i++) {
        body[i] = make_float4(i % 7, i % 11, i % 13, 1.0f + i % 3);
    }
    float4* d_body;
    float3* d_force;
    cudaMalloc(&d_body, bodies * sizeof(float4));
    cudaMalloc(&d_force, bodies * sizeof(float3));
    cudaMemcpy(d_body, body.data(), bodies * sizeof(float4), cudaMemcpyHostToDevice);
    forces<<<bodies / tile, tile>>>(d_body, d_force);
    cudaMemcpy(force.data(), d_force, bodies * sizeof(float3), cudaMemcpyDeviceToHost);
    cudaFree(d_body);
    cudaFree(d_force);
#ifdef REPAIRED
    for (int i = 0; i < bodies; i++) {
        double x = 0;
        for (const float4& other : body) {
            const double dx = other.x - body[i].x, dy = other.y - body[i].y;
            const double dz = other.z - body[i].z;
            x += other.w * dx * std::pow(dx * dx + dy * dy + dz * dz + 0.01, -1.5);
        }
        if (std::fabs(x - force[i].x) > 1e-2 * (1 + std::fabs(x))) {
            fprintf(stderr, "body %d: force %f instead of %f\n", i, force[i].x, x);
            return 1;
        }
    }
#endif
    printf("forces on %d bodies\n", bodies);
    return 0;
}
