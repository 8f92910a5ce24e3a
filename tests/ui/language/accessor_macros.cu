// verdict: race
// race: lines 25 and 45, variable tiles, shared
// race: lines 36 and 45, variable tiles, shared
// race: lines 61 and 61, variable s_total, shared
// repaired: clean
// Macros stand for parts of the shared variables of the functions that use them, as in many matrix products. What
// such a macro accesses, and whether it is read or written, is known only where it is used.
// Repaired: barriers, and one thread that adds up.
#include <cstdio>
#include <cuda_runtime.h>

constexpr int size = 8, n = 16, threads = size * size;

struct Tiles {
    float a[size][size], b[size][size];
};

#define AS(i, j) tiles.a[i][j]
#define BS(i, j) tiles.b[i][j]
#define JOIN(a, b) a##b
#define TOTAL JOIN(s_, total)
#ifdef ATOMIC_STORES
#define STORE(place, value) atomicExch(&(place), value)
#else
#define STORE(place, value) place = value
#endif

__global__ void multiply(const float* a, const float* b, float* c)
{
    __shared__ Tiles tiles;
    const int x = threadIdx.x, y = threadIdx.y;
    const int row = blockIdx.y * size + y, column = blockIdx.x * size + x;
    float sum = 0;
    for (int k = 0; k < n; k += size) {
        STORE(AS(y, x), a[row * n + k + x]);
        BS(y, x) = b[(k + y) * n + column];




#ifdef REPAIRED
        __syncthreads();
#endif
        for (int i = 0; i < size; i++) {
            sum += AS(y, i) * BS(i, x);
        }
        __syncthreads();
    }
    c[row * n + column] = sum;
}

__global__ void add_up(const float* c, int* out)
{
    __shared__ int s_total;
    if (threadIdx.x == 0) TOTAL = 0;
    __syncthreads();
    const int value = static_cast<int>(c[blockIdx.x * blockDim.x + threadIdx.x]);
#ifdef REPAIRED
    atomicAdd(&TOTAL, value);
#else
    TOTAL += value;
#endif
    __syncthreads();
    if (threadIdx.x == 0) out[blockIdx.x] = TOTAL;
}

int main()
{
    float *a, *b, *c;
    int* out;
    cudaMallocManaged(&a, n * n * sizeof(float));
    cudaMallocManaged(&b, n * n * sizeof(float));
    cudaMallocManaged(&c, n * n * sizeof(float));
    cudaMallocManaged(&out, n * n / threads * sizeof(int));
    for (int i = 0; i < n * n; i++) a[i] = b[i] = 1;
    multiply<<<dim3(n / size, n / size), dim3(size, size)>>>(a, b, c);
    add_up<<<n * n / threads, threads>>>(c, out);
    cudaDeviceSynchronize();
#ifdef REPAIRED
    for (int i = 0; i < n * n / threads; i++) {
        if (out[i] != n * threads) {
            fprintf(stderr, "sum %d: %d\n", i, out[i]);
            return 1;
        }
    }
#endif
    return 0;
}
