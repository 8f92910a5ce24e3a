// verdict: race
// race: lines 21 and 22, variable p, global
// Moves particles kept as a struct of arrays, passed by value, and measures their gaps.
// The gap to the right neighbour is taken while that neighbour moves.
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

struct Particles {
    int* x;
    int* velocity;
    int* gap;
    int count;
};

__global__ void move(Particles p)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < p.count) {
        const int moved = 10 * i + p.velocity[i];
        p.x[i] = moved;
        p.gap[i] = i + 1 < p.count ? p.x[i + 1] - moved : 0;
    }
}

int main()
{
    Particles p;
    p.count = 450;
    const size_t bytes = p.count * sizeof(int);
    std::vector<int> velocity(p.count), gap(p.count);
    for (int i = 0; i < p.count; i++) {
        velocity[i] = i % 4;
    }
    cudaMalloc(&p.x, bytes);
    cudaMalloc(&p.velocity, bytes);
    cudaMalloc(&p.gap, bytes);
    cudaMemcpy(p.velocity, velocity.data(), bytes, cudaMemcpyHostToDevice);
    const int threads = 64, blocks = (p.count + threads - 1) / threads;
    move<<<blocks, threads>>>(p);
    cudaMemcpy(gap.data(), p.gap, bytes, cudaMemcpyDeviceToHost);
    cudaFree(p.x);
    cudaFree(p.velocity);
    cudaFree(p.gap);
    printf("moved %d particles\n", p.count);
    return 0;
}
