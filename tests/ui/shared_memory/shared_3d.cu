// verdict: race
// race: lines 21 and 25, variable cube, shared
// repaired: clean
// Mean over the next layers of a volume, staged in a three-dimensional shared array.
// The staged layers are read without a barrier.
// Repaired: a barrier follows the staging.
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

constexpr int width = 8, height = 8, depth = 4;
constexpr int cells = width * height * depth;
constexpr int blocks_x = 2, blocks_y = 2, blocks_z = 2;

__global__ void next_layers(const int* in, int* out)
{
    __shared__ int cube[depth][height][width];
    const int x = threadIdx.x, y = threadIdx.y, z = threadIdx.z;
    const int block = (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
    const int cell = block * cells + (z * height + y) * width + x;
    cube[z][y][x] = in[cell];
#ifdef REPAIRED
    __syncthreads();
#endif
    out[cell] = cube[(z + 1) % depth][y][x] + cube[z][y][(x + 1) % width];
}

int main()
{
    const int blocks = blocks_x * blocks_y * blocks_z;
    const int n = blocks * cells;
    std::vector<int> in(n), out(n);
    for (int i = 0; i < n; i++) {
        in[i] = (i * 13) % 97;
    }
    int *d_in, *d_out;
    cudaMalloc(&d_in, n * sizeof(int));
    cudaMalloc(&d_out, n * sizeof(int));
    cudaMemcpy(d_in, in.data(), n * sizeof(int), cudaMemcpyHostToDevice);
    const dim3 grid(blocks_x, blocks_y, blocks_z);
    const dim3 block(width, height, depth);
    next_layers<<<grid, block>>>(d_in, d_out);
    cudaMemcpy(out.data(), d_out, n * sizeof(int), cudaMemcpyDeviceToHost);
    cudaFree(d_in);
    cudaFree(d_out);
#ifdef REPAIRED
    for (int i = 0; i < n; i++) {
        const int base = i / cells * cells, x = i % width, layer = width * height;
        const int below = base + (i - base + layer) % cells;
        const int right = i - x + (x + 1) % width;
        if (out[i] != in[below] + in[right]) {
            fprintf(stderr, "wrong cell %d\n", i);
            return 1;
        }
    }
#endif
    printf("%d cells in %d blocks\n", n, blocks);
    return 0;
}
