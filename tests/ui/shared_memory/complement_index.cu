// verdict: race
// race: lines 18 and 23, variable s_end, shared
// repaired: clean
// Reverses blocks through the pointer behind the last element: s_end[~t] is s_end[-1 - t], because an
// index of 32 bits wraps around in shared memory. Nothing orders filling the array and reading it.
// Repaired: a barrier orders them.
#include <cstdio>
#include <cuda_runtime.h>

const int block = 96;

__global__ void reverse(const int* in, int* out)
{
    extern __shared__ int s_data[];
    __shared__ int s_copy[block];
    const unsigned t = threadIdx.x;
    const unsigned base = blockIdx.x * blockDim.x;
    s_data[t] = in[base + t];
#ifdef REPAIRED
    __syncthreads();
#endif
    const int* s_end = s_data + blockDim.x;
    const int last_first = s_end[~t];
    int* s_copy_end = s_copy + block;
    s_copy_end[~t] = t;
    s_copy_end[(~t)] += 1;
    out[base + t] = last_first + s_copy_end[blockDim.x + ~t - block] - s_copy[block - 1 - t];
}

int main()
{
    const int blocks = 4;
    const int n = blocks * block;
    int *in, *out;
    cudaMallocManaged(&in, n * sizeof(int));
    cudaMallocManaged(&out, n * sizeof(int));
    for (int i = 0; i < n; i++) {
        in[i] = 3 * i;
    }
    reverse<<<blocks, block, block * sizeof(int)>>>(in, out);
    cudaDeviceSynchronize();
#ifdef REPAIRED
    for (int i = 0; i < n; i++) {
        if (out[i] != in[i / block * block + block - 1 - i % block]) {
            fprintf(stderr, "wrong element %d: %d\n", i, out[i]);
            return 1;
        }
    }
#endif
    printf("reversed %d blocks\n", blocks);
    cudaFree(in);
    cudaFree(out);
    return 0;
}
