// verdict: race
// race: lines 15 and 20, variable position, global
// repaired: clean
// Integrates positions kept as float4 and links each particle to its predecessor.
// The predecessor's w component is read while its owner stores the whole float4.
// Repaired: the link is taken from the input, which no thread writes.
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

__global__ void advance(const float4* start, const float4* velocity, float4* position, float* link)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const float4 p = start[i], v = velocity[i];
    position[i] = make_float4(p.x + v.x, p.y + v.y, p.z + v.z, p.w);
    if (i > 0) {
#ifdef REPAIRED
        link[i] = start[i - 1].w;
#else
        link[i] = position[i - 1].w;
#endif
    }
}

int main()
{
    const int blocks = 4, threads = 64, n = blocks * threads;
    std::vector<float4> start(n), velocity(n), position(n);
    std::vector<float> link(n, 0.0f);
    for (int i = 0; i < n; i++) {
        start[i] = make_float4(i, 2.0f * i, -i, 0.5f * i);
        velocity[i] = make_float4(1.0f, 0.0f, -1.0f, 0.0f);
    }
    float4 *d_start, *d_velocity, *d_position;
    float* d_link;
    cudaMalloc(&d_start, n * sizeof(float4));
    cudaMalloc(&d_velocity, n * sizeof(float4));
    cudaMalloc(&d_position, n * sizeof(float4));
    cudaMalloc(&d_link, n * sizeof(float));
    cudaMemcpy(d_start, start.data(), n * sizeof(float4), cudaMemcpyHostToDevice);
    cudaMemcpy(d_velocity, velocity.data(), n * sizeof(float4), cudaMemcpyHostToDevice);
    advance<<<blocks, threads>>>(d_start, d_velocity, d_position, d_link);
    cudaMemcpy(position.data(), d_position, n * sizeof(float4), cudaMemcpyDeviceToHost);
    cudaMemcpy(link.data() + 1, d_link + 1, (n - 1) * sizeof(float), cudaMemcpyDeviceToHost);
    cudaFree(d_start);
    cudaFree(d_velocity);
    cudaFree(d_position);
    cudaFree(d_link);
#ifdef REPAIRED
    for (int i = 1; i < n; i++) {
        if (position[i].x != i + 1.0f || position[i].z != -i - 1.0f || link[i] != 0.5f * (i - 1)) {
            fprintf(stderr, "wrong particle %d\n", i);
            return 1;
        }
    }
#endif
    printf("advanced %d particles\n", n);
    return 0;
}
