// verdict: race
// race: lines 21 and 33, variable tile, shared
// repaired: clean
// Reverses a tile that is declared outside the kernel, beside a structure without a name and a flag in a
// namespace; a device function reads it through a macro.
// The halves are exchanged without a barrier.
// Repaired: a barrier comes between writing and reading.
#include <cstdio>

constexpr int n = 64;

#define TILE(i) tile[i]
__shared__ float tile[n];
static __shared__ struct { int first, last; } bounds, unused;
namespace state {
__shared__ volatile int marks[2][4];
__device__ int last() { return marks[1][3]; }
}

__device__ float mirrored(int i) {
    return TILE(n - 1 - i);
}

__device__ float local(int i) {
    float tile[2] = {1.0f, 2.0f};
    return tile[i & 1];
}

__device__ float of_parameter(const float* tile) { return tile[0]; }

__global__ void reverse(float* data) {
    const int t = threadIdx.x;
    tile[t] = data[t];
    if (t == 0) {
        bounds.first = 3;
        bounds.last = 4;
        state::marks[1][3] = 5;
    }
#ifdef REPAIRED
    __syncthreads();
#endif
    data[t] = mirrored(t) + local(t) * 0.0f;
#ifdef REPAIRED
    __syncthreads();
    if (t == 0) data[t] += bounds.first + bounds.last + state::last() + of_parameter(tile) + sizeof(unused);
#endif
}

int main() {
    float* data;
    cudaMallocManaged(&data, n * sizeof(float));
    for (int i = 0; i < n; ++i) data[i] = i;
    reverse<<<1, n>>>(data);
    cudaDeviceSynchronize();
#ifdef REPAIRED
    return data[0] != 63 + 3 + 4 + 5 + 0 + 8 || data[63] != 0;
#endif
}
