// verdict: race
// race: lines 22 and 22, variable weight, global
// repaired: clean
// Products, masks and differences whose left operands in parentheses look like types, and casts of what
// pointers point to.
// Each thread scales its weight by that of its neighbour, which the neighbour is scaling.
// Repaired: the scaled weights go elsewhere.
#include <cstdio>

#define LEVELS 3
#define REAL double
enum { step = 2 };
struct Limits { static constexpr int top = 7; };

template <class T, int count>
__global__ void scale(double* weight, double* out, const int* flags, double rate, double gain) {
    const int t = threadIdx.x, next = (t + 1) % blockDim.x;
    double* to = weight;
#ifdef REPAIRED
    to = out;
#endif
    to[t] = (rate * (gain)) * (weight[next]);
    double sum = (LEVELS) * (weight[t] * 0) + (step) * (rate) + (Limits::top) * gain + (count) * (gain);
    sum += (REAL) * flags + (T) * (flags + 1) + (REAL)(flags[2]) + (rate * (gain)) * (rate);
    const int mask = ((LEVELS) & (flags[1])) + ((step) & flags[1]);
    sum += mask;
    sum += (LEVELS) - (flags[1]) + (flags[0]) * (flags[1]) + (flags[LEVELS]) * flags[2];
    if (sum < 0) out[t] = sum;
}

int main() {
    double *weight, *out;
    int* flags;
    cudaMallocManaged(&weight, 64 * sizeof(double));
    cudaMallocManaged(&out, 64 * sizeof(double));
    cudaMallocManaged(&flags, 4 * sizeof(int));
    for (int i = 0; i < 64; ++i) weight[i] = i;
    for (int i = 0; i < 4; ++i) flags[i] = i;
    scale<float, 5><<<1, 64>>>(weight, out, flags, 2.0, 3.0);
    cudaDeviceSynchronize();
#ifdef REPAIRED
    return out[0] != 6.0 || out[62] != 6.0 * 63;
#endif
}
