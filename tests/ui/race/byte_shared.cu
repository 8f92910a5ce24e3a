// verdict: race
// race: lines 18 and 22, variable s_text, shared
// Upper-cases words: a letter is the first of a word if a space stands before it.
// The byte before is read without a barrier.
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
    printf("capitalised %d characters\n", n);
    return 0;
}
