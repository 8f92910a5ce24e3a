// verdict: race
// race: lines 19 and 22, variable words, shared
// repaired: clean
// A word holds a key in its lower half and a flag in its upper one, which two threads write.
// The one that writes the key stores the whole word.
// Repaired: each of them stores its own half.
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

__global__ void pack(int* out)
{
    __shared__ int words[64];
    const int t = threadIdx.x % 64;
    if (threadIdx.x < 64) {
#ifdef REPAIRED
        reinterpret_cast<short*>(words)[2 * t] = 7 * t;
#else
        words[t] = 7 * t;
#endif
    } else {
        reinterpret_cast<short*>(words)[2 * t + 1] = t % 3 == 0;
    }
    __syncthreads();
    if (threadIdx.x < 64) {
        out[t] = words[t];
    }
}

int main()
{
    std::vector<int> out(64);
    int* d_out;
    cudaMalloc(&d_out, 64 * sizeof(int));
    pack<<<1, 128>>>(d_out);
    cudaMemcpy(out.data(), d_out, 64 * sizeof(int), cudaMemcpyDeviceToHost);
    cudaFree(d_out);
    printf("packed %d words\n", (int)out.size());
    return 0;
}
