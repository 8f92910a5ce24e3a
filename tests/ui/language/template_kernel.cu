// verdict: race
// race: lines 18 and 22, variable s_values, shared
// repaired: clean
// Reverses every block of an array; the kernel has a type and a size parameter.
// A thread reads the slot of its mirror image without waiting for it.
// Repaired: a barrier makes all slots of the block readable.
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

template <typename T, int BlockSize>
__global__ void reverse_blocks(const T* in, T* out)
{
    static_assert(BlockSize % 2 == 0, "no thread may be its own mirror image");
    __shared__ T s_values[BlockSize];
    const int t = threadIdx.x;
    const int base = blockIdx.x * BlockSize;
    s_values[t] = in[base + t];
#ifdef REPAIRED
    __syncthreads();
#endif
    out[base + t] = s_values[BlockSize - 1 - t];
}

template <typename T, int BlockSize>
bool reverse_on_device(int blocks)
{
    const int n = BlockSize * blocks;
    std::vector<T> in(n), out(n);
    for (int i = 0; i < n; i++) {
        in[i] = static_cast<T>(i % 1000);
    }
    T *d_in, *d_out;
    cudaMalloc(&d_in, n * sizeof(T));
    cudaMalloc(&d_out, n * sizeof(T));
    cudaMemcpy(d_in, in.data(), n * sizeof(T), cudaMemcpyHostToDevice);
    reverse_blocks<T, BlockSize><<<blocks, BlockSize>>>(d_in, d_out);
    cudaMemcpy(out.data(), d_out, n * sizeof(T), cudaMemcpyDeviceToHost);
    cudaFree(d_in);
    cudaFree(d_out);
#ifdef REPAIRED
    for (int i = 0; i < n; i++) {
        const int mirror = i / BlockSize * BlockSize + BlockSize - 1 - i % BlockSize;
        if (out[i] != in[mirror]) {
            fprintf(stderr, "wrong element %d\n", i);
            return false;
        }
    }
#endif
    return true;
}

int main()
{
    const bool ok = reverse_on_device<int, 64>(4) && reverse_on_device<double, 128>(3);
    printf("reversed ints and doubles\n");
    return ok ? 0 : 1;
}
