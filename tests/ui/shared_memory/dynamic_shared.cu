// verdict: race
// race: lines 18 and 22, variable s_row, shared
// repaired: clean
// Rotates each row by a given distance, through dynamically sized shared memory.
// Nothing orders filling the row and reading it rotated.
// Repaired: a barrier orders filling the row before reading it rotated.
#include <cassert>
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

__global__ void rotate_rows(const float* in, float* out, int distance)
{
    extern __shared__ float s_row[];
    assert(distance >= 0);
    const int t = threadIdx.x;
    const int base = blockIdx.x * blockDim.x;
    s_row[t] = in[base + t];
#ifdef REPAIRED
    __syncthreads();
#endif
    out[base + t] = s_row[(t + distance) % blockDim.x];
}

int main()
{
    const int rows = 6, columns = 192, distance = 70;
    const int n = rows * columns;
    std::vector<float> in(n), out(n);
    for (int i = 0; i < n; i++) {
        in[i] = 0.25f * i;
    }
    float *d_in, *d_out;
    cudaMalloc(&d_in, n * sizeof(float));
    cudaMalloc(&d_out, n * sizeof(float));
    cudaMemcpy(d_in, in.data(), n * sizeof(float), cudaMemcpyHostToDevice);
    rotate_rows<<<rows, columns, columns * sizeof(float)>>>(d_in, d_out, distance);
    cudaMemcpy(out.data(), d_out, n * sizeof(float), cudaMemcpyDeviceToHost);
    cudaFree(d_in);
    cudaFree(d_out);
#ifdef REPAIRED
    for (int i = 0; i < n; i++) {
        if (out[i] != in[i - i % columns + (i + distance) % columns]) {
            fprintf(stderr, "wrong element %d\n", i);
            return 1;
        }
    }
#endif
    printf("rotated %d rows\n", rows);
    return 0;
}
