// verdict: possible
// possible: lines 26 and 47, variable , global
// The host function of a stream starts a thread, which reads what a copy before it in the stream has
// written to pinned memory. The copy comes before the function, and that before the thread.
// hirace does not follow what a host function tells other threads, so the race is only a possible one.
#include <cstdio>
#include <thread>
#include <cuda_runtime.h>

constexpr int n = 256;

__global__ void number(int* out)
{
    out[threadIdx.x] = threadIdx.x;
}

struct Work {
    int* host;
    std::thread reader;
    int sum = 0;
};

void add(Work* work)
{
    for (int i = 0; i < n; i++) {
        work->sum += work->host[i];
    }
}

void start(void* data)
{
    Work* work = static_cast<Work*>(data);
    work->reader = std::thread(add, work);
    // It reads while the function still runs.
    work->reader.join();
}

int main()
{
    Work work;
    int* device;
    cudaStream_t stream;
    cudaStreamCreate(&stream);
    cudaMallocHost(&work.host, n * sizeof(int));
    cudaMalloc(&device, n * sizeof(int));
    number<<<1, n, 0, stream>>>(device);
    cudaMemcpyAsync(work.host, device, n * sizeof(int), cudaMemcpyDeviceToHost, stream);
    cudaLaunchHostFunc(stream, start, &work);
    cudaStreamSynchronize(stream);
    cudaFree(device);
    cudaFreeHost(work.host);
    cudaStreamDestroy(stream);
    return work.sum == n * (n - 1) / 2 ? 0 : 1;
}
