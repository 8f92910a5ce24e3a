// verdict: race
// race: lines 17 and 23, variable s_row, shared
// repaired: clean
// Threads mirror a row of 128 elements. A __syncwarp() with the full mask orders the lanes of the
// calling warp; the mirrored element was stored by another warp, which has a barrier of its own.
// Repaired: __syncthreads(), which orders the accesses of all threads of the block.
#include <cstdio>
#include <cuda_runtime.h>

constexpr int width = 128;

__global__ void mirror(float* rows)
{
    __shared__ float s_row[width];
    float* const row = rows + blockIdx.x * width;
    const int t = threadIdx.x;
    s_row[t] = row[t];
#ifdef REPAIRED
    __syncthreads();
#else
    __syncwarp(0xffffffffu);
#endif
    row[t] = s_row[width - 1 - t];
}

int main()
{
    const int height = 4;
    float* rows;
    cudaMallocManaged(&rows, height * width * sizeof(float));
    for (int i = 0; i < height * width; i++) rows[i] = static_cast<float>(i);
    mirror<<<height, width>>>(rows);
    cudaDeviceSynchronize();
#ifdef REPAIRED
    for (int y = 0; y < height; y++) {
        for (int x = 0; x < width; x++) {
            if (rows[y * width + x] != static_cast<float>(y * width + width - 1 - x)) return 1;
        }
    }
#endif
    std::printf("mirrored %d rows\n", height);
    return 0;
}
