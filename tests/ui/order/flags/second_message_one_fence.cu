// verdict: race
// race: lines 21 and 31, variable tailpiece, global
// repaired: clean
// A header and a tailpiece, each followed by a flag of its own. The reader waits for the second flag.
// The one fence stands before the first flag. With the second flag it is still a release pattern (a
// fence, later a strong store), which covers the header, but not the tailpiece behind the fence.
// Repaired: a second fence between the tailpiece and its flag.
#include <cstdio>
#include <cuda_runtime.h>

struct Flags {
    volatile int header, tailpiece;
};

__global__ void copy(int* header, int* tailpiece, Flags* flags, int* out)
{
    if (blockIdx.x == 0) {
        *header = 1000;
        __threadfence();
        flags->header = 1;
        *tailpiece = 1;
#ifdef REPAIRED
        __threadfence();
#endif
        flags->tailpiece = 1;
    } else {
        while (flags->tailpiece == 0) {
        }
        __threadfence();
        *out = *header;
        *out += *tailpiece;
    }
}

int main()
{
    int *header, *tailpiece, *out, result = 0;
    Flags* flags;
    cudaMalloc(&header, sizeof(int));
    cudaMalloc(&tailpiece, sizeof(int));
    cudaMalloc(&out, sizeof(int));
    cudaMalloc(&flags, sizeof(Flags));
    cudaMemset(flags, 0, sizeof(Flags));
    copy<<<2, 1>>>(header, tailpiece, flags, out);
    cudaMemcpy(&result, out, sizeof result, cudaMemcpyDeviceToHost);
    cudaFree(header);
    cudaFree(tailpiece);
    cudaFree(out);
    cudaFree(flags);
    if (result != 1001) return 1;
    printf("%d\n", result);
    return 0;
}
