// verdict: race
// race: lines 21 and 21, variable counts, global
// repaired: clean
// Histogram of letters straight into global memory.
// Two threads with the same letter both read, increment and write its count.
// Repaired: the counts are incremented atomically.
#include <cstdio>
#include <cstring>
#include <vector>
#include <cuda_runtime.h>

constexpr int letters = 26;

__global__ void count_letters(const char* text, int length, unsigned int* counts)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < length && text[i] >= 'a' && text[i] <= 'z') {
#ifdef REPAIRED
        atomicAdd(&counts[text[i] - 'a'], 1u);
#else
        counts[text[i] - 'a'] = counts[text[i] - 'a'] + 1;
#endif
    }
}

int main()
{
    const char* phrase = "the quick brown fox jumps over the lazy dog; ";
    const int length = 20 * static_cast<int>(strlen(phrase));
    std::vector<char> text(length);
    std::vector<unsigned int> counts(letters), expected(letters);
    for (int i = 0; i < length; i++) {
        text[i] = phrase[i % strlen(phrase)];
        if (text[i] >= 'a' && text[i] <= 'z') {
            expected[text[i] - 'a']++;
        }
    }
    char* d_text;
    unsigned int* d_counts;
    cudaMalloc(&d_text, length);
    cudaMalloc(&d_counts, letters * sizeof(unsigned int));
    cudaMemcpy(d_text, text.data(), length, cudaMemcpyHostToDevice);
    cudaMemset(d_counts, 0, letters * sizeof(unsigned int));
    const int threads = 128;
    count_letters<<<(length + threads - 1) / threads, threads>>>(d_text, length, d_counts);
    cudaMemcpy(counts.data(), d_counts, letters * sizeof(unsigned int), cudaMemcpyDeviceToHost);
    cudaFree(d_text);
    cudaFree(d_counts);
#ifdef REPAIRED
    if (counts != expected) {
        fprintf(stderr, "wrong counts\n");
        return 1;
    }
#endif
    printf("counted %d characters\n", length);
    return 0;
}
