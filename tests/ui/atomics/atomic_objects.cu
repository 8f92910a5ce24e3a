// verdict: race
// race: lines 37 and 37, variable sum, global
// repaired: clean
// Counters and maxima through cuda::atomic and cuda::atomic_ref, but the sums of all blocks are counted
// with block scope only.
// Repaired: the scope is the device.
#include <cstdio>
#include <vector>
#include <cuda/atomic>
#include <cuda_runtime.h>

constexpr int classes = 8;

struct Totals {
    cuda::atomic<unsigned, cuda::thread_scope_device> count;
    int largest;
};

__global__ void classify(const int* in, Totals* totals, int* counts)
{
    __shared__ int local[classes];
    const int t = threadIdx.x;
    if (t < classes) local[t] = 0;
    __syncthreads();
    const int value = in[blockIdx.x * blockDim.x + t];
    cuda::atomic_ref<int, cuda::thread_scope_block> place(local[value % classes]);
    place.fetch_add(1, cuda::memory_order_relaxed);
    totals->count.fetch_add(1, cuda::std::memory_order_relaxed);
    cuda::atomic_ref<int, cuda::thread_scope_device>(totals->largest).fetch_max(value, cuda::memory_order_relaxed);
    __syncthreads();
    if (t < classes) {
#ifdef REPAIRED
        cuda::atomic_ref<int, cuda::thread_scope_device> sum(counts[t]);
#else
        cuda::atomic_ref<int, cuda::thread_scope_block> sum(counts[t]);
#endif
        sum.fetch_add(local[t], cuda::memory_order_relaxed);
    }
}

int main()
{
    const int blocks = 3, threads = 64, n = blocks * threads;
    std::vector<int> in(n), counts(classes), expected(classes);
    int largest = 0;
    for (int i = 0; i < n; i++) {
        in[i] = (i * 37) % 101;
        expected[in[i] % classes]++;
        largest = in[i] > largest ? in[i] : largest;
    }
    int *d_in, *d_counts;
    Totals* totals;
    cudaMalloc(&d_in, n * sizeof(int));
    cudaMalloc(&d_counts, classes * sizeof(int));
    cudaMallocManaged(&totals, sizeof(Totals));
    totals->count = 0;
    totals->largest = 0;
    cudaMemcpy(d_in, in.data(), n * sizeof(int), cudaMemcpyHostToDevice);
    cudaMemset(d_counts, 0, classes * sizeof(int));
    classify<<<blocks, threads>>>(d_in, totals, d_counts);
    cudaMemcpy(counts.data(), d_counts, classes * sizeof(int), cudaMemcpyDeviceToHost);
    const bool right = counts == expected && totals->count.load() == unsigned(n) && totals->largest == largest;
    printf("classified %u values, the largest is %d\n", totals->count.load(), totals->largest);
    cudaFree(d_in);
    cudaFree(d_counts);
    cudaFree(totals);
    return !right;
}
