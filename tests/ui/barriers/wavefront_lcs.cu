// verdict: race
// race: lines 30 and 30, variable score, shared
// repaired: clean
// Length of the longest common subsequence of two strings, one anti-diagonal at a time.
// No barrier separates the anti-diagonals.
// Repaired: a barrier ends each anti-diagonal.
#include <algorithm>
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

constexpr int length = 64;
constexpr int pairs = 3;

__global__ void longest_common(const char* a, const char* b, int* result)
{
    __shared__ int score[length + 1][length + 1];
    const int row = threadIdx.x;
    const char mine = a[blockIdx.x * length + row];
    score[row + 1][0] = 0;
    score[0][row + 1] = 0;
    if (row == 0) {
        score[0][0] = 0;
    }
    __syncthreads();
    for (int diagonal = 0; diagonal < 2 * length - 1; diagonal++) {
        const int i = row + 1, j = diagonal - row + 1;
        if (j >= 1 && j <= length) {
            const int match = mine == b[blockIdx.x * length + j - 1];
            score[i][j] = max(score[i - 1][j - 1] + match, max(score[i - 1][j], score[i][j - 1]));
        }
#ifdef REPAIRED
        __syncthreads();
#endif
    }
    if (row == length - 1) {
        result[blockIdx.x] = score[length][length];
    }
}

int main()
{
    std::vector<char> a(pairs * length), b(pairs * length);
    for (int i = 0; i < pairs * length; i++) {
        a[i] = "ACGT"[(i * i + i / 3) % 4];
        b[i] = "ACGT"[(i * 5 + i / 7) % 4];
    }
    char *d_a, *d_b;
    int* d_result;
    std::vector<int> result(pairs);
    cudaMalloc(&d_a, a.size());
    cudaMalloc(&d_b, b.size());
    cudaMalloc(&d_result, pairs * sizeof(int));
    cudaMemcpy(d_a, a.data(), a.size(), cudaMemcpyHostToDevice);
    cudaMemcpy(d_b, b.data(), b.size(), cudaMemcpyHostToDevice);
    longest_common<<<pairs, length>>>(d_a, d_b, d_result);
    cudaMemcpy(result.data(), d_result, pairs * sizeof(int), cudaMemcpyDeviceToHost);
    cudaFree(d_a);
    cudaFree(d_b);
    cudaFree(d_result);
#ifdef REPAIRED
    for (int p = 0; p < pairs; p++) {
        std::vector<int> last(length + 1, 0);
        for (int i = 0; i < length; i++) {
            std::vector<int> next(length + 1, 0);
            for (int j = 0; j < length; j++) {
                const int match = a[p * length + i] == b[p * length + j];
                next[j + 1] = std::max({last[j] + match, last[j + 1], next[j]});
            }
            last = next;
        }
        if (result[p] != last[length]) {
            fprintf(stderr, "pair %d: %d instead of %d\n", p, result[p], last[length]);
            return 1;
        }
    }
#endif
    printf("compared %d pairs\n", pairs);
    return 0;
}
