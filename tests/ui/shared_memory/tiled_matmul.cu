// verdict: race
// race: lines 23 and 27, variable tile_a, shared
// race: lines 24 and 27, variable tile_b, shared
// repaired: clean
// Matrix product C = A * B with square shared tiles.
// A fast warp loads the next tiles while slow ones still multiply the current ones.
// Repaired: one barrier after loading the tiles, one after using them.
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

constexpr int tile = 16;
constexpr int n = 64;

__global__ void matmul(const int* __restrict__ a, const int* __restrict__ b, int* __restrict__ c)
{
    __shared__ int tile_a[tile][tile], tile_b[tile][tile];
    const int tx = threadIdx.x, ty = threadIdx.y;
    const int row = blockIdx.y * tile + ty;
    const int column = blockIdx.x * tile + tx;
    int sum = 0;
    for (int step = 0; step < n / tile; step++) {
        tile_a[ty][tx] = a[row * n + step * tile + tx];
        tile_b[ty][tx] = b[(step * tile + ty) * n + column];
        __syncthreads();
        for (int k = 0; k < tile; k++) {
            sum += tile_a[ty][k] * tile_b[k][tx];
        }
#ifdef REPAIRED
        __syncthreads();
#endif
    }
    c[row * n + column] = sum;
}

int main()
{
    std::vector<int> a(n * n), b(n * n), c(n * n);
    for (int i = 0; i < n * n; i++) {
        a[i] = i % 7 - 3;
        b[i] = i % 5 - 2;
    }
    int *d_a, *d_b, *d_c;
    const size_t bytes = n * n * sizeof(int);
    cudaMalloc(&d_a, bytes);
    cudaMalloc(&d_b, bytes);
    cudaMalloc(&d_c, bytes);
    cudaMemcpy(d_a, a.data(), bytes, cudaMemcpyHostToDevice);
    cudaMemcpy(d_b, b.data(), bytes, cudaMemcpyHostToDevice);
    dim3 block(tile, tile);
    dim3 grid(n / tile, n / tile);
    matmul<<<grid, block>>>(d_a, d_b, d_c);
    cudaMemcpy(c.data(), d_c, bytes, cudaMemcpyDeviceToHost);
    cudaFree(d_a);
    cudaFree(d_b);
    cudaFree(d_c);
#ifdef REPAIRED
    for (int row = 0; row < n; row++) {
        for (int column = 0; column < n; column++) {
            int expected = 0;
            for (int k = 0; k < n; k++) {
                expected += a[row * n + k] * b[k * n + column];
            }
            if (c[row * n + column] != expected) {
                fprintf(stderr, "wrong element at row %d, column %d\n", row, column);
                return 1;
            }
        }
    }
#endif
    printf("multiplied %d x %d matrices\n", n, n);
    return 0;
}
