// verdict: race
// race: lines 19 and 30, variable results, global
// repaired: clean
// Status words are plain ints that threads access through cuda::atomic_ref of device scope.
// The publisher's store is relaxed, so the acquiring loads find no release pattern.
// Repaired: the store is a release that the acquire reads from, morally strong at device scope.
#include <cstdio>
#include <cuda/atomic>
#include <cuda_runtime.h>

constexpr int jobs = 4;
using Ref = cuda::atomic_ref<int, cuda::thread_scope_device>;
enum { waiting, finished };

__global__ void work(float* results, int* status, float* sum)
{
    if (blockIdx.x < jobs) {
        if (threadIdx.x == 0) {
            results[blockIdx.x] = 0.5f * (blockIdx.x + 1);
#ifdef REPAIRED
            Ref(status[blockIdx.x]).store(finished, cuda::memory_order_release);
#else
            Ref(status[blockIdx.x]).store(finished, cuda::memory_order_relaxed);
#endif
        }
    } else if (threadIdx.x < jobs) {
        const int job = threadIdx.x;
        while (Ref(status[job]).load(cuda::memory_order_acquire) == waiting) {
        }
        atomicAdd(sum, results[job]);
    }
}

int main()
{
    float *results, *sum, total = 0;
    int* status;
    cudaMalloc(&results, jobs * sizeof(float));
    cudaMalloc(&sum, sizeof(float));
    cudaMalloc(&status, jobs * sizeof(int));
    cudaMemset(sum, 0, sizeof(float));
    cudaMemset(status, 0, jobs * sizeof(int));
    work<<<jobs + 1, 32>>>(results, status, sum);
    cudaMemcpy(&total, sum, sizeof total, cudaMemcpyDeviceToHost);
    cudaFree(results);
    cudaFree(sum);
    cudaFree(status);
    if (total != 5) return 1;
    printf("sum %.1f\n", total);
    return 0;
}
