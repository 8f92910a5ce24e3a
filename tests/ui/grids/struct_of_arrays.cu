// verdict: race
// race: lines 23 and 34, variable p, global
// repaired: clean
// Moves particles kept as a struct of arrays, passed by value, and measures their gaps.
// The gap to the right neighbour is taken while that neighbour moves.
// Repaired: particles move in one launch and gaps are measured in the next.
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
#ifdef REPAIRED
    }
}

__global__ void measure(Particles p)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < p.count) {
        p.gap[i] = i + 1 < p.count ? p.x[i + 1] - p.x[i] : 0;
#else
        p.gap[i] = i + 1 < p.count ? p.x[i + 1] - moved : 0;
#endif
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
#ifdef REPAIRED
    measure<<<blocks, threads>>>(p);
#endif
    cudaMemcpy(gap.data(), p.gap, bytes, cudaMemcpyDeviceToHost);
    cudaFree(p.x);
    cudaFree(p.velocity);
    cudaFree(p.gap);
#ifdef REPAIRED
    for (int i = 0; i + 1 < p.count; i++) {
        if (gap[i] != 10 + velocity[i + 1] - velocity[i]) {
            fprintf(stderr, "wrong gap %d: %d\n", i, gap[i]);
            return 1;
        }
    }
#endif
    printf("moved %d particles\n", p.count);
    return 0;
}
