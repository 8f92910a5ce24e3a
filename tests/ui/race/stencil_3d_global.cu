// verdict: race
// race: lines 22 and 22, variable volume, global
// Vertical diffusion in a volume, with three-dimensional blocks and grid.
// Layers are updated in place while the layers above and below are being read.
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

constexpr int nx = 16, ny = 8, nz = 12;

__device__ int at(int x, int y, int z)
{
    return (z * ny + y) * nx + x;
}

__global__ void diffuse(int* volume)
{
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    const int z = blockIdx.z * blockDim.z + threadIdx.z;
    if (z > 0 && z < nz - 1) {
        volume[at(x, y, z)] = volume[at(x, y, z - 1)] + volume[at(x, y, z + 1)];
    }
}

int main()
{
    const int n = nx * ny * nz;
    std::vector<int> in(n), out(n);
    for (int i = 0; i < n; i++) {
        in[i] = (i * 19) % 43;
    }
    int* d_volume;
    cudaMalloc(&d_volume, n * sizeof(int));
    cudaMemcpy(d_volume, in.data(), n * sizeof(int), cudaMemcpyHostToDevice);
    const dim3 block(8, 4, 4);
    const dim3 grid(nx / 8, ny / 4, nz / 4);
    diffuse<<<grid, block>>>(d_volume);
    cudaMemcpy(out.data(), d_volume, n * sizeof(int), cudaMemcpyDeviceToHost);
    cudaFree(d_volume);
    printf("diffused %d cells\n", n);
    return 0;
}
