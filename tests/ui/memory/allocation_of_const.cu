// verdict: clean
// Pointers to const elements get memory, as nvcc's overloads of the allocation functions allow.
#include <cstdio>

__global__ void fill(int* values) { values[threadIdx.x] = threadIdx.x; }
__global__ void copy(const int* from, int* to) { to[threadIdx.x] = from[threadIdx.x]; }

int main()
{
    const int *device, *managed, *pinned;
    int* out;
    cudaSetDeviceFlags(cudaDeviceBlockingSync);
    cudaMalloc(&device, 64 * sizeof(int));
    cudaMallocManaged(&managed, 64 * sizeof(int));
    cudaMallocHost(&pinned, 64 * sizeof(int));
    cudaMalloc(&out, 64 * sizeof(int));
    for (const int* array : {device, managed, pinned}) {
        fill<<<1, 64>>>(const_cast<int*>(array));
        copy<<<1, 64>>>(array, out);
    }
    const bool failed = cudaDeviceSynchronize() != cudaSuccess || managed[9] != 9 || pinned[5] != 5;
    std::printf("%s\n", failed ? "failed" : "passed");
    return failed;
}
