// verdict: race
// race: lines 27 and 27, variable grid, global
// repaired: clean
// Jacobi relaxation of a plate with fixed rim.
// Relaxing in place reads neighbours that other threads overwrite in the same launch.
// Repaired: every launch reads one grid and writes the other.
#include <cstdio>
#include <utility>
#include <vector>
#include <cuda_runtime.h>

constexpr int width = 66;
constexpr int steps = 4;

#ifdef REPAIRED
__global__ void relax(const float* grid, float* next)
#else
__global__ void relax(float* grid)
#endif
{
    const int x = blockIdx.x * blockDim.x + threadIdx.x + 1;
    const int y = blockIdx.y * blockDim.y + threadIdx.y + 1;
    const int i = y * width + x;
#ifdef REPAIRED
    next[i] = 0.25f * (grid[i - 1] + grid[i + 1] + grid[i - width] + grid[i + width]);
#else
    grid[i] = 0.25f * (grid[i - 1] + grid[i + 1] + grid[i - width] + grid[i + width]);
#endif
}

int main()
{
    std::vector<float> plate(width * width, 0.0f);
    for (int x = 0; x < width; x++) {
        plate[x] = 64.0f;
    }
    const size_t bytes = plate.size() * sizeof(float);
    float* d_grid;
    cudaMalloc(&d_grid, bytes);
    cudaMemcpy(d_grid, plate.data(), bytes, cudaMemcpyHostToDevice);
#ifdef REPAIRED
    float* d_next;
    cudaMalloc(&d_next, bytes);
    cudaMemcpy(d_next, plate.data(), bytes, cudaMemcpyHostToDevice);
#endif
    const dim3 block(16, 16);
    const dim3 grid((width - 2) / block.x, (width - 2) / block.y);
    for (int step = 0; step < steps; step++) {
#ifdef REPAIRED
        relax<<<grid, block>>>(d_grid, d_next);
        std::swap(d_grid, d_next);
#else
        relax<<<grid, block>>>(d_grid);
#endif
    }
    cudaMemcpy(plate.data(), d_grid, bytes, cudaMemcpyDeviceToHost);
    cudaFree(d_grid);
#ifdef REPAIRED
    cudaFree(d_next);
    // After one step the first inner row is 16, after that it only grows; row 5 is still cold.
    const float warm = plate[width + width / 2], cold = plate[5 * width + width / 2];
    if (warm <= 16.0f || warm >= 64.0f || cold != 0.0f) {
        fprintf(stderr, "wrong temperatures: %f, %f\n", warm, cold);
        return 1;
    }
#endif
    printf("relaxed %d times\n", steps);
    return 0;
}
