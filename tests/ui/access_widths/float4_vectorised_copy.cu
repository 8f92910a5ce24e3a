// verdict: race
// race: lines 20 and 26, variable line, global
// repaired: clean
// Shifts a line of floats by one place, four floats a store.
// Source and destination are the same line: the shift overwrites what others still read.
// Repaired: source and destination are different lines.
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

#ifdef REPAIRED
__global__ void shift(const float* line, float* shifted)
#else
__global__ void shift(float* line)
#endif
{
    const int i = 4 * (blockIdx.x * blockDim.x + threadIdx.x);
    float carried[4];
    for (int k = 0; k < 4; k++) {
        carried[k] = line[i + 4 + k];
    }
    const float4 value = make_float4(carried[0], carried[1], carried[2], carried[3]);
#ifdef REPAIRED
    *reinterpret_cast<float4*>(&shifted[i]) = value;
#else
    *reinterpret_cast<float4*>(&line[i]) = value;
#endif
}

int main()
{
    const int blocks = 3, threads = 96, n = 4 * blocks * threads;
    std::vector<float> in(n + 4), out(n);
    for (int i = 0; i < n + 4; i++) {
        in[i] = static_cast<float>(i);
    }
    float* d_line;
    cudaMalloc(&d_line, in.size() * sizeof(float));
    cudaMemcpy(d_line, in.data(), in.size() * sizeof(float), cudaMemcpyHostToDevice);
#ifdef REPAIRED
    float* d_shifted;
    cudaMalloc(&d_shifted, n * sizeof(float));
    shift<<<blocks, threads>>>(d_line, d_shifted);
    cudaMemcpy(out.data(), d_shifted, n * sizeof(float), cudaMemcpyDeviceToHost);
#else
    shift<<<blocks, threads>>>(d_line);
    cudaMemcpy(out.data(), d_line, n * sizeof(float), cudaMemcpyDeviceToHost);
#endif
    cudaFree(d_line);
#ifdef REPAIRED
    cudaFree(d_shifted);
    for (int i = 0; i < n; i++) {
        if (out[i] != in[i + 4]) {
            fprintf(stderr, "wrong element %d\n", i);
            return 1;
        }
    }
#endif
    printf("shifted %d floats\n", n);
    return 0;
}
