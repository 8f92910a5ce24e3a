// verdict: race
// race: lines 20 and 27, variable s_text, shared
// repaired: clean
// Upper-cases words: a letter is the first of a word if a space precedes it.
// The byte before is read without a barrier.
// Repaired: a barrier follows the staging of the text, one byte a thread.
#include <cstdio>
#include <string>
#include <vector>
#include <cuda_runtime.h>

constexpr int block_size = 96;

__global__ void capitalise(char* text)
{
    __shared__ char s_text[block_size + 1];
    const int t = threadIdx.x;
    const int i = blockIdx.x * block_size + t;
    char letter = text[i];
    s_text[t + 1] = letter;
    if (t == 0) {
        s_text[0] = ' ';
    }
#ifdef REPAIRED
    __syncthreads();
#endif
    if (s_text[t] == ' ' && letter >= 'a' && letter <= 'z') {
        letter -= 'a' - 'A';
    }
    text[i] = letter;
}

int main()
{
    const int blocks = 4, n = blocks * block_size;
    std::string text;
    while (static_cast<int>(text.size()) < n) {
        text += "all the world is a stage ";
    }
    text.resize(n);
    char* d_text;
    cudaMalloc(&d_text, n);
    cudaMemcpy(d_text, text.data(), n, cudaMemcpyHostToDevice);
    capitalise<<<blocks, block_size>>>(d_text);
    std::vector<char> result(n);
    cudaMemcpy(result.data(), d_text, n, cudaMemcpyDeviceToHost);
    cudaFree(d_text);
#ifdef REPAIRED
    for (int i = 0; i < n; i++) {
        const bool first = i % block_size == 0 || text[i - 1] == ' ';
        const char expected = first && text[i] != ' ' ? text[i] - 32 : text[i];
        if (result[i] != expected) {
            fprintf(stderr, "wrong character %d: %c\n", i, result[i]);
            return 1;
        }
    }
#endif
    printf("capitalised %d characters\n", n);
    return 0;
}
