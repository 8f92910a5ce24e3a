// verdict: race
// race: lines 20 and 20, variable words, global
// repaired: clean
// Builds a bit set: each thread sets the bit of its own element.
// Bits of one word are set by a plain |= of different threads.
// Repaired: bits are set by atomicOr.
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

namespace kernels {

__global__ void set_bits(const int* in, unsigned int* words, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && in[i] % 3 == 0) {
#ifdef REPAIRED
        atomicOr(&words[i / 32], 1u << (i % 32));
#else
        words[i / 32] |= 1u << (i % 32);
#endif
    }
}

} // namespace kernels

int main()
{
    const int n = 640;
    std::vector<int> in(n);
    std::vector<unsigned int> words(n / 32), expected(n / 32);
    for (int i = 0; i < n; i++) {
        in[i] = i * 7 + i / 5;
        if (in[i] % 3 == 0) {
            expected[i / 32] |= 1u << (i % 32);
        }
    }
    int* d_in;
    unsigned int* d_words;
    cudaMalloc(&d_in, n * sizeof(int));
    cudaMalloc(&d_words, n / 8);
    cudaMemcpy(d_in, in.data(), n * sizeof(int), cudaMemcpyHostToDevice);
    cudaMemset(d_words, 0, n / 8);
    kernels::set_bits<<<n / 128, 128>>>(d_in, d_words, n);
    cudaMemcpy(words.data(), d_words, n / 8, cudaMemcpyDeviceToHost);
    cudaFree(d_in);
    cudaFree(d_words);
#ifdef REPAIRED
    if (words != expected) {
        fprintf(stderr, "wrong bits\n");
        return 1;
    }
#endif
    printf("set bits of %d elements\n", n);
    return 0;
}
