// verdict: clean
// Vertical diffusion in a volume, with three-dimensional blocks and grid.
// The result goes to a second volume.
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

constexpr int nx = 16, ny = 8, nz = 12;

__device__ int at(int x, int y, int z)
{
    return (z * ny + y) * nx + x;
}

__global__ void diffuse(const int* volume, int* out)
{
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    const int z = blockIdx.z * blockDim.z + threadIdx.z;
    if (z > 0 && z < nz - 1) {
        out[at(x, y, z)] = volume[at(x, y, z - 1)] + volume[at(x, y, z + 1)];
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
    int* d_out;
    cudaMalloc(&d_out, n * sizeof(int));
    diffuse<<<grid, block>>>(d_volume, d_out);
    cudaMemcpy(out.data(), d_out, n * sizeof(int), cudaMemcpyDeviceToHost);
    cudaFree(d_volume);
    cudaFree(d_out);
    const int layer = nx * ny;
    for (int i = layer; i < n - layer; i++) {
        if (out[i] != in[i - layer] + in[i + layer]) {
            fprintf(stderr, "wrong cell %d\n", i);
            return 1;
        }
    }
    printf("diffused %d cells\n", n);
    return 0;
}
