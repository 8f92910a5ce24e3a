// verdict: race
// race: lines 22 and 28, variable tile, shared
// repaired: clean
// Five-point stencil with an 18 x 18 tile that 16 x 16 threads load together.
// The tile is used before all of it is loaded.
// Repaired: a barrier separates loading the tile from using it.
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

constexpr int side = 16;
constexpr int padded = side + 2;
constexpr int width = 48;
constexpr int pitch = width + 2;

__global__ void laplace(const int* in, int* out)
{
    __shared__ int tile[padded][padded];
    const int left = blockIdx.x * side, top = blockIdx.y * side;
    const int tx = threadIdx.x, ty = threadIdx.y;
    for (int k = ty * side + tx; k < padded * padded; k += side * side) {
        tile[k / padded][k % padded] = in[(top + k / padded) * pitch + left + k % padded];
    }
#ifdef REPAIRED
    __syncthreads();
#endif
    const int x = tx + 1, y = ty + 1;
    const int sum = tile[y - 1][x] + tile[y + 1][x] + tile[y][x - 1] + tile[y][x + 1];
    out[(top + ty) * width + left + tx] = sum;
}

int main()
{
    std::vector<int> in(pitch * pitch), out(width * width);
    for (int i = 0; i < pitch * pitch; i++) {
        in[i] = (i * 11) % 23;
    }
    int *d_in, *d_out;
    cudaMalloc(&d_in, in.size() * sizeof(int));
    cudaMalloc(&d_out, out.size() * sizeof(int));
    cudaMemcpy(d_in, in.data(), in.size() * sizeof(int), cudaMemcpyHostToDevice);
    laplace<<<dim3(width / side, width / side), dim3(side, side)>>>(d_in, d_out);
    cudaMemcpy(out.data(), d_out, out.size() * sizeof(int), cudaMemcpyDeviceToHost);
    cudaFree(d_in);
    cudaFree(d_out);
#ifdef REPAIRED
    for (int y = 0; y < width; y++) {
        for (int x = 0; x < width; x++) {
            const int* middle = &in[(y + 1) * pitch + x + 1];
            if (out[y * width + x] != middle[-1] + middle[1] + middle[-pitch] + middle[pitch]) {
                fprintf(stderr, "wrong cell at row %d, column %d\n", y, x);
                return 1;
            }
        }
    }
#endif
    printf("stencil over %d cells\n", width * width);
    return 0;
}
