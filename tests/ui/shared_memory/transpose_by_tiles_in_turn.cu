// verdict: race
// race: lines 17 and 21, variable s_tile, shared
// repaired: clean
// A block transposes one tile after another through the same shared memory. Nothing keeps the reads of a
// tile after its writes, and nothing keeps the next tile's writes after these reads: either barrier alone
// leaves a race of the same two lines.
// Repaired: a barrier between the writes and the reads, and one at the end of the loop.
#include <cuda_runtime.h>

constexpr int side = 16, tiles = 3;

__global__ void transpose(const int* in, int* out)
{
    __shared__ int s_tile[side][side + 1];
    const int x = threadIdx.x, y = threadIdx.y;
    for (int i = 0; i < tiles; i++) {
        s_tile[y][x] = in[(i * side + y) * side + x];
#ifdef REPAIRED
        __syncthreads();
#endif
        out[(i * side + y) * side + x] = s_tile[x][y];
#ifdef REPAIRED
        __syncthreads();
#endif
    }
}

int main()
{
    const int n = tiles * side * side;
    int *in, *out;
    cudaMallocManaged(&in, n * sizeof(int));
    cudaMallocManaged(&out, n * sizeof(int));
    for (int i = 0; i < n; i++) in[i] = i;
    transpose<<<1, dim3(side, side)>>>(in, out);
    cudaDeviceSynchronize();
#ifdef REPAIRED
    for (int i = 0; i < n; i++) {
        const int tile = i / (side * side), y = i / side % side, x = i % side;
        if (out[i] != (tile * side + x) * side + y) return 1;
    }
#endif
    return 0;
}
