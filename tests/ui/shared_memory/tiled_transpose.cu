// verdict: race
// race: lines 20 and 28, variable tile, shared
// repaired: clean
// Matrix transpose through a padded shared tile, 32 x 8 threads for 32 x 32 elements.
// Threads read tile elements that other threads load, with no barrier between.
// Repaired: a barrier separates loading the tile from reading it across.
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

constexpr int tile_dim = 32;
constexpr int block_rows = 8;

extern "C" __global__ void transpose(const float* in, float* out, int width, int height)
{
    __shared__ float tile[tile_dim][tile_dim + 1];
    int x = blockIdx.x * tile_dim + threadIdx.x;
    int y = blockIdx.y * tile_dim + threadIdx.y;
    for (int j = 0; j < tile_dim; j += block_rows) {
        tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * width + x];
    }
#ifdef REPAIRED
    __syncthreads();
#endif
    x = blockIdx.y * tile_dim + threadIdx.x;
    y = blockIdx.x * tile_dim + threadIdx.y;
    for (int j = 0; j < tile_dim; j += block_rows) {
        out[(y + j) * height + x] = tile[threadIdx.x][threadIdx.y + j];
    }
}

int main()
{
    const int width = 96, height = 64;
    const size_t bytes = width * height * sizeof(float);
    std::vector<float> in(width * height), out(width * height);
    for (int i = 0; i < width * height; i++) {
        in[i] = static_cast<float>(i);
    }
    float *d_in, *d_out;
    cudaMalloc(&d_in, bytes);
    cudaMalloc(&d_out, bytes);
    cudaMemcpy(d_in, in.data(), bytes, cudaMemcpyHostToDevice);
    const dim3 grid(width / tile_dim, height / tile_dim);
    const dim3 block(tile_dim, block_rows);
    transpose<<<grid, block>>>(d_in, d_out, width, height);
    cudaMemcpy(out.data(), d_out, bytes, cudaMemcpyDeviceToHost);
    cudaFree(d_in);
    cudaFree(d_out);
#ifdef REPAIRED
    for (int y = 0; y < height; y++) {
        for (int x = 0; x < width; x++) {
            if (out[x * height + y] != in[y * width + x]) {
                fprintf(stderr, "wrong element at row %d, column %d\n", y, x);
                return 1;
            }
        }
    }
#endif
    printf("transposed %d x %d\n", height, width);
    return 0;
}
