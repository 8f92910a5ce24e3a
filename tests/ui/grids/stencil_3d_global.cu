// verdict: race
// race: lines 31 and 31, variable volume, global
// repaired: clean
// Vertical diffusion in a volume, with three-dimensional blocks and grid.
// Layers are updated in place while the layers above and below are being read.
// Repaired: the result goes to a second volume.
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

constexpr int nx = 16, ny = 8, nz = 12;

__device__ int at(int x, int y, int z)
{
    return (z * ny + y) * nx + x;
}

#ifdef REPAIRED
__global__ void diffuse(const int* volume, int* out)
#else
__global__ void diffuse(int* volume)
#endif
{
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    const int z = blockIdx.z * blockDim.z + threadIdx.z;
    if (z > 0 && z < nz - 1) {
#ifdef REPAIRED
        out[at(x, y, z)] = volume[at(x, y, z - 1)] + volume[at(x, y, z + 1)];
#else
        volume[at(x, y, z)] = volume[at(x, y, z - 1)] + volume[at(x, y, z + 1)];
#endif
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
#ifdef REPAIRED
    int* d_out;
    cudaMalloc(&d_out, n * sizeof(int));
    diffuse<<<grid, block>>>(d_volume, d_out);
    cudaMemcpy(out.data(), d_out, n * sizeof(int), cudaMemcpyDeviceToHost);
#else
    diffuse<<<grid, block>>>(d_volume);
    cudaMemcpy(out.data(), d_volume, n * sizeof(int), cudaMemcpyDeviceToHost);
#endif
    cudaFree(d_volume);
#ifdef REPAIRED
    cudaFree(d_out);
    const int layer = nx * ny;
    for (int i = layer; i < n - layer; i++) {
        if (out[i] != in[i - layer] + in[i + layer]) {
            fprintf(stderr, "wrong cell %d\n", i);
            return 1;
        }
    }
#endif
    printf("diffused %d cells\n", n);
    return 0;
}
