// verdict: race
// race: lines 20 and 24, variable row, shared
// repaired: clean
// A row of values is reversed or rotated, as an argument of the kernel says. The case that reverses it lacks the
// barrier that the other one has.
// Repaired: a barrier in the case.
#include <cstdio>
#include <cuda_runtime.h>

enum Mode { rotated, reversed };
constexpr int threads = 96;

__global__ void move(const int* in, int* out, Mode mode)
{
    __shared__ int row[threads];
    const int t = threadIdx.x;
    const int value = in[t] + 1;
    switch (mode) {
    case reversed:
        row[t] = value;
#ifdef REPAIRED
        __syncthreads();
#endif
        out[t] = row[threads - 1 - t];
        break;
    case rotated:
        row[t] = value;
        __syncthreads();
        out[t] = row[(t + 1) % threads];
        break;
    }
}

int main()
{
    int values[threads], moved[threads];
    for (int i = 0; i < threads; ++i) values[i] = i * i;
    int *in, *out;
    cudaMalloc(&in, sizeof values);
    cudaMalloc(&out, sizeof moved);
    cudaMemcpy(in, values, sizeof values, cudaMemcpyHostToDevice);
    for (Mode mode : {rotated, reversed}) {
        move<<<1, threads>>>(in, out, mode);
        cudaMemcpy(moved, out, sizeof moved, cudaMemcpyDeviceToHost);
        for (int i = 0; i < threads; ++i) {
            const int from = mode == reversed ? threads - 1 - i : (i + 1) % threads;
#ifdef REPAIRED
            if (moved[i] != values[from] + 1) return 1;
#endif
        }
    }
    printf("%d\n", moved[0]);
    return 0;
}
