// verdict: race
// race: lines 19 and 23, variable s_ring, shared
// repaired: clean
// A ring of 100 threads a block: three full warps and a partial one.
// Each thread reads its right neighbour's slot without a barrier.
// Repaired: a barrier of all 100 threads orders writing and reading the ring.
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

constexpr int ring = 100;
constexpr int blocks = 5;

__global__ void pass_left(const double* in, double* out)
{
    __shared__ double s_ring[ring];
    const unsigned t = threadIdx.x;
    const unsigned i = blockIdx.x * blockDim.x + t;
    s_ring[t] = in[i];
#ifdef REPAIRED
    __syncthreads();
#endif
    out[i] = s_ring[(t + 1) % ring];
}

int main()
{
    const int n = ring * blocks;
    std::vector<double> in(n), out(n);
    for (int i = 0; i < n; i++) {
        in[i] = 1.0 / (i + 1);
    }
    double *d_in, *d_out;
    cudaMalloc(&d_in, n * sizeof(double));
    cudaMalloc(&d_out, n * sizeof(double));
    cudaMemcpy(d_in, in.data(), n * sizeof(double), cudaMemcpyHostToDevice);
    pass_left<<<blocks, ring>>>(d_in, d_out);
    cudaMemcpy(out.data(), d_out, n * sizeof(double), cudaMemcpyDeviceToHost);
    cudaFree(d_in);
    cudaFree(d_out);
#ifdef REPAIRED
    for (int i = 0; i < n; i++) {
        if (out[i] != in[i - i % ring + (i + 1) % ring]) {
            fprintf(stderr, "wrong element %d\n", i);
            return 1;
        }
    }
#endif
    printf("passed %d values on\n", n);
    return 0;
}
