// verdict: race
// race: lines 17 and 22, variable s_key, shared
// repaired: clean
// Lanes compare keys by a shuffle and fetch the payload of their partner from shared memory. The
// CUDA guide says of the __shfl_sync() functions that they imply no memory barrier and guarantee
// no memory ordering, although all lanes meet in them.
// Repaired: __syncwarp(), which does order memory among the lanes of its mask, follows.
#include <cuda_runtime.h>

struct Key { int key, payload; };

__global__ void smaller_of_pair(int* out)
{
    __shared__ int s_key[64];
    const int t = threadIdx.x;
    const Key own = {t * 29 % 64, 1000 + t};
    s_key[t] = own.payload;
    const int other = __shfl_xor_sync(0xffffffffu, own.key, 1);
#ifdef REPAIRED
    __syncwarp();
#endif
    out[t] = s_key[other < own.key ? t ^ 1 : t];
}

int main()
{
    int* out;
    cudaMallocManaged(&out, 64 * sizeof(int));
    smaller_of_pair<<<1, 64>>>(out);
    cudaDeviceSynchronize();
#ifdef REPAIRED
    for (int i = 0; i < 64; i++) {
        const int mine = i * 29 % 64, other = (i ^ 1) * 29 % 64;
        if (out[i] != 1000 + (other < mine ? i ^ 1 : i)) return 1;
    }
#endif
    return 0;
}
