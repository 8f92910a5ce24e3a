// verdict: race
// race: lines 33 and 38, variable array, shared
// repaired: clean
// nvcc: none
// A program with `using namespace std` defines names that C++ headers declare there as well,
// which CUDA's headers allow before CUDA 13. A barrier is missing between the stores and the
// loads of a tile.
// Repaired: the barrier is added.
#include <cstdio>
#include <cuda_runtime.h>

using namespace std;

float* array;
int count;
int next_, vector, map, string, mutex, thread, function, optional, variant, any;
int list, deque, queue, stack, bitset, ratio, sort, find, search;
struct complex {
    int first;
    float second;
};
struct set {
    complex left;
    complex right;
};

__device__ float distance(float a, float b) { return a < b ? b - a : a - b; }

__global__ void differences(const float* in, float* out)
{
    __shared__ float array[128];
    const int t = threadIdx.x;
    array[t] = in[t];
#ifdef REPAIRED
    __syncthreads();
#endif
    const int neighbour = (t + 1) % 128;
    out[t] = distance(array[neighbour], in[t]);
}

int main()
{
    count = 128;
    float host[128];
    for (int i = 0; i < count; i++) host[i] = i * i;
    float* out;
    cudaMalloc(&array, sizeof host);
    cudaMalloc(&out, sizeof host);
    cudaMemcpy(array, host, sizeof host, cudaMemcpyHostToDevice);
    differences<<<1, count>>>(array, out);
    float result[128];
    cudaMemcpy(result, out, sizeof result, cudaMemcpyDeviceToHost);
    set ends = {{0, result[0]}, {127, result[127]}};
    printf("%g %g\n", ends.left.second, ends.right.second);
#ifdef REPAIRED
    for (int i = 0; i < count - 1; i++) {
        if (result[i] != host[i + 1] - host[i]) return 1;
    }
#endif
    return vector + map + string + mutex + thread + function + optional + variant + any + next_ +
           list + deque + queue + stack + bitset + ratio + sort + find + search;
}
