// verdict: race
// race: lines 21 and 21, variable out, global
// repaired: clean
// Each thread stores four results as one structure, at a stride of three: the last element of
// every four is the first of the next thread's.
// Repaired: the stride is four.
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

struct Quad {
    float x, y, z, w;
};

__global__ void corners(const float* in, float* out)
{
    const int i = threadIdx.x;
#ifdef REPAIRED
    *reinterpret_cast<Quad*>(out + 4 * i) = Quad{in[i], 2.0f * in[i], 3.0f * in[i], 4.0f * in[i]};
#else
    *reinterpret_cast<Quad*>(out + 3 * i) = Quad{in[i], 2.0f * in[i], 3.0f * in[i], 4.0f * in[i]};
#endif
}

int main()
{
    const int n = 96;
    std::vector<float> in(n, 1.0f);
    float *d_in, *d_out;
    cudaMalloc(&d_in, n * sizeof(float));
    cudaMalloc(&d_out, n * sizeof(Quad));
    cudaMemcpy(d_in, in.data(), n * sizeof(float), cudaMemcpyHostToDevice);
    corners<<<1, n>>>(d_in, d_out);
    cudaDeviceSynchronize();
    cudaFree(d_in);
    cudaFree(d_out);
    printf("%d corners\n", n);
    return 0;
}
