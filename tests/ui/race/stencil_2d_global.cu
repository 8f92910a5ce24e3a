// verdict: race
// race: lines 18 and 18, variable grid, global
// Jacobi relaxation of a plate with fixed rim.
// Relaxing in place reads neighbours that other threads overwrite in the same launch.
#include <cstdio>
#include <utility>
#include <vector>
#include <cuda_runtime.h>

constexpr int width = 66;
constexpr int steps = 4;

__global__ void relax(float* grid)
{
    const int x = blockIdx.x * blockDim.x + threadIdx.x + 1;
    const int y = blockIdx.y * blockDim.y + threadIdx.y + 1;
    const int i = y * width + x;
    grid[i] = 0.25f * (grid[i - 1] + grid[i + 1] + grid[i - width] + grid[i + width]);
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
    const dim3 block(16, 16);
    const dim3 grid((width - 2) / block.x, (width - 2) / block.y);
    for (int step = 0; step < steps; step++) {
        relax<<<grid, block>>>(d_grid);
    }
    cudaMemcpy(plate.data(), d_grid, bytes, cudaMemcpyDeviceToHost);
    cudaFree(d_grid);
    printf("relaxed %d times\n", steps);
    return 0;
}
