// verdict: race
// race: lines 31 and 35, variable cells, shared
// race: lines 35 and 39, variable s_copy, shared
// race-also: lines 39 and 43, variable s_copy, shared
// repaired: clean
// Objects are constructed in place and copied by memcpy, before the neighbour's object exists.
// Repaired: a barrier comes before the copies.
#include <cstdio>
#include <cstring>
#include <new>
#include <vector>
#include <cuda_runtime.h>

struct Cell {
    float value;
    int mark;

    __device__ explicit Cell(float number) : value(number), mark(1) {}
};

struct Bytes {
    alignas(Cell) unsigned char of[sizeof(Cell)];
};

__global__ void make(const float* in, float* out, int n)
{
    __shared__ Bytes s_bytes[256];
    __shared__ float s_copy[256];
    const int t = threadIdx.x;
    Cell* cells = reinterpret_cast<Cell*>(s_bytes);
    new (&cells[t]) Cell(in[t]);
#ifdef REPAIRED
    __syncthreads();
#endif
    memcpy(&s_copy[t], &cells[(t + 1) % n].value, sizeof(float));
#ifdef REPAIRED
    __syncthreads();
#endif
    memset(&s_copy[(t + 2) % n], 0, sizeof(float));
#ifdef REPAIRED
    __syncthreads();
#endif
    out[t] = s_copy[t];
}

int main()
{
    const int n = 256;
    float *d_in, *d_out;
    cudaMalloc(&d_in, n * sizeof(float));
    cudaMalloc(&d_out, n * sizeof(float));
    cudaMemset(d_in, 0, n * sizeof(float));
    cudaMemset(d_out, 0, n * sizeof(float));
    make<<<1, n>>>(d_in, d_out, n);
    std::vector<float> out(n);
    cudaMemcpy(out.data(), d_out, n * sizeof(float), cudaMemcpyDeviceToHost);
    printf("first value: %.0f\n", out[0]);
    cudaFree(d_in);
    cudaFree(d_out);
    return 0;
}
