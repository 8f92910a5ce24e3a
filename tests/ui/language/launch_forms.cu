// verdict: race
// race: lines 23 and 23, variable to, global
// repaired: clean
// Launches whose configuration is a macro, a shift or in braces, a parameter that is a reference to managed memory,
// and a device function whose qualifier comes with its type from a macro.
// Repaired: the update is atomic.
#include <cstdio>

#define CONFIGURATION(grid, block) <<< grid, block >>>
#define ONE_BLOCK <<<1, 32>>>
#define DEVICE_FUNCTION(result) __device__ result

struct Sums {
    int total;
    int values[64];
};

DEVICE_FUNCTION(void) add(int* to, int value)
{
#ifdef REPAIRED
    atomicAdd(to, value);
#else
    *to += value;
#endif
}

template <class T>
__global__ void fill(T* values, T value)
{
    values[blockIdx.x * blockDim.x + threadIdx.x] = value;
}

__global__ void sum(Sums& sums) { add(&sums.total, sums.values[blockIdx.x * blockDim.x + threadIdx.x]); }

int main()
{
    Sums* sums;
    cudaMallocManaged(&sums, sizeof(Sums));
    sums->total = 0;
    int n = 64;
    fill<int> CONFIGURATION(2, dim3(32))(sums->values, 2);
    fill<<<(n + 31) >> 5, n >> 1>>>(sums->values, 2);
    fill ONE_BLOCK(sums->values, 1);
    sum<<<{2, 1}, {32}>>>(*sums);
    cudaDeviceSynchronize();
    std::printf("%d\n", sums->total);
    return sums->total == 96 ? 0 : 1;
}
