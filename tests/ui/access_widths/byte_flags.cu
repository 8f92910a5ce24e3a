// verdict: race
// race: lines 21 and 21, variable flags, global
// repaired: clean
// Marks even numbers in an array of bytes, one flag a byte.
// Two threads share each flag and store it without order, though the value is the same.
// Repaired: every thread stores its own byte. Four threads share a word, which is no race.
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

#ifdef REPAIRED
constexpr int per_flag = 1;
#else
constexpr int per_flag = 2;
#endif

__global__ void mark(const int* in, unsigned char* flags, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        flags[i / per_flag] = in[i] % 2 == 0;
    }
}

int main()
{
    const int n = 500;
    std::vector<int> in(n);
    std::vector<unsigned char> flags(n);
    for (int i = 0; i < n; i++) {
        in[i] = i / 2;
    }
    int* d_in;
    unsigned char* d_flags;
    cudaMalloc(&d_in, n * sizeof(int));
    cudaMalloc(&d_flags, n);
    cudaMemcpy(d_in, in.data(), n * sizeof(int), cudaMemcpyHostToDevice);
    cudaMemset(d_flags, 0xff, n);
    mark<<<(n + 63) / 64, 64>>>(d_in, d_flags, n);
    cudaMemcpy(flags.data(), d_flags, n, cudaMemcpyDeviceToHost);
    cudaFree(d_in);
    cudaFree(d_flags);
#ifdef REPAIRED
    for (int i = 0; i < n; i++) {
        if (flags[i] != (in[i] % 2 == 0)) {
            fprintf(stderr, "wrong flag %d\n", i);
            return 1;
        }
    }
#endif
    printf("marked %d numbers\n", n);
    return 0;
}
