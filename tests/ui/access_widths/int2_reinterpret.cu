// verdict: race
// race: lines 16 and 30, variable pairs, global
// repaired: clean
// Stores (key, index) pairs through an int2 view of an int array.
// Each thread also reads the key its right neighbour is storing.
// Repaired: a second launch compares neighbouring keys.
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

__global__ void store_pairs(const int* keys, int* storage, int* ascending, int n)
{
    int2* pairs = reinterpret_cast<int2*>(storage);
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const int key = keys[i];
    pairs[i] = make_int2(key, i);
#ifdef REPAIRED
    ascending[i] = i + 1 == n;
}

__global__ void compare_pairs(const int* storage, int* ascending, int n)
{
    const int2* pairs = reinterpret_cast<const int2*>(storage);
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
#endif
    if (i + 1 < n) {
#ifdef REPAIRED
        ascending[i] = pairs[i].x <= pairs[i + 1].x;
#else
        ascending[i] = key <= pairs[i + 1].x;
#endif
    }
}

int main()
{
    const int blocks = 4, threads = 64, n = blocks * threads;
    std::vector<int> keys(n), ascending(n);
    for (int i = 0; i < n; i++) {
        keys[i] = (i * 29) % 53;
    }
    int *d_keys, *d_storage, *d_ascending;
    cudaMalloc(&d_keys, n * sizeof(int));
    cudaMalloc(&d_storage, 2 * n * sizeof(int));
    cudaMalloc(&d_ascending, n * sizeof(int));
    cudaMemcpy(d_keys, keys.data(), n * sizeof(int), cudaMemcpyHostToDevice);
    store_pairs<<<blocks, threads>>>(d_keys, d_storage, d_ascending, n);
#ifdef REPAIRED
    compare_pairs<<<blocks, threads>>>(d_storage, d_ascending, n);
#endif
    cudaMemcpy(ascending.data(), d_ascending, n * sizeof(int), cudaMemcpyDeviceToHost);
    cudaFree(d_keys);
    cudaFree(d_storage);
    cudaFree(d_ascending);
#ifdef REPAIRED
    for (int i = 0; i + 1 < n; i++) {
        if (ascending[i] != (keys[i] <= keys[i + 1])) {
            fprintf(stderr, "wrong comparison %d\n", i);
            return 1;
        }
    }
#endif
    printf("stored %d pairs\n", n);
    return 0;
}
