// verdict: race
// race: lines 29 and 34, variable data, global
// repaired: clean
// A flag and a number side by side, read as a pair. A strong access of a vector is one of each element (PTX ISA,
// "Vector Data-types"), so the load of two words acquires the flag of one word that the store releases. The racy
// program stores the flag without a release: nothing orders the data before it.
// Repaired: the store releases.
#include <cstdio>

__device__ int2 load_pair(const int2* from)
{
    int2 pair;
    asm volatile("ld.acquire.gpu.global.v2.s32 {%0, %1}, [%2];" : "=r"(pair.x), "=r"(pair.y) : "l"(from) : "memory");
    return pair;
}

__device__ void store_flag(int* to)
{
#ifdef REPAIRED
    asm volatile("st.release.gpu.global.s32 [%0], %1;" : : "l"(to), "r"(1) : "memory");
#else
    asm volatile("st.relaxed.gpu.global.s32 [%0], %1;" : : "l"(to), "r"(1) : "memory");
#endif
}

__global__ void hand_over(int2* slot, int* data, int* out)
{
    if (blockIdx.x == 0) {
        data[0] = 5;
        store_flag(&slot->x);
    } else {
        while (load_pair(slot).x == 0) {
        }
        out[blockIdx.x] = data[0];
    }
}

int main()
{
    int2* slot;
    int *data, *out;
    cudaMalloc(&slot, sizeof(int2));
    cudaMemset(slot, 0, sizeof(int2));
    cudaMalloc(&data, sizeof(int));
    cudaMallocManaged(&out, 4 * sizeof(int));
    hand_over<<<4, 1>>>(slot, data, out);
    cudaDeviceSynchronize();
    std::printf("%d\n", out[3]);
}
