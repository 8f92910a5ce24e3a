// verdict: race
// race: lines 32 and 44, variable received, global
// race: lines 34 and 43, variable slots, global
// race: lines 35 and 41, variable sent, global
// repaired: clean
// A block sends numbers to another one through a ring. The counters of the channel are atomics of
// block scope, so they order nothing between two blocks. They are members of a class, one by an
// alias of the type.
// Repaired: both have device scope.
#include <cuda/atomic>
#include <cuda_runtime.h>

#ifdef REPAIRED
using Counter = cuda::atomic<int, cuda::thread_scope_device>;
#else
using Counter = cuda::atomic<int, cuda::thread_scope_block>;
#endif

template <class T, int size>
struct Channel {
    T slots[size];
    Counter sent;
#ifdef REPAIRED
    cuda::atomic<int, cuda::thread_scope_device> received;
#else
    cuda::atomic<int, cuda::thread_scope_block> received;
#endif

    __device__ void push(T value)
    {
        const int at = sent.load(cuda::memory_order_relaxed);
        while (at - received.load(cuda::memory_order_acquire) == size) {
        }
        slots[at % size] = value;
        sent.store(at + 1, cuda::memory_order_release);
    }

    __device__ T pop()
    {
        const int at = received.load(cuda::memory_order_relaxed);
        while (sent.load(cuda::memory_order_acquire) == at) {
        }
        const T value = slots[at % size];
        received.store(at + 1, cuda::memory_order_release);
        return value;
    }
};

__global__ void send(Channel<int, 4>* channel, int* out, int n)
{
    if (threadIdx.x != 0) return;
    if (blockIdx.x == 0) {
        for (int i = 0; i < n; i++) channel->push(5 * i);
    } else {
        for (int i = 0; i < n; i++) out[i] = channel->pop();
    }
}

int main()
{
    Channel<int, 4>* channel;
    int* out;
    cudaMalloc(&channel, sizeof(*channel));
    cudaMemset(channel, 0, sizeof(*channel));
    cudaMallocManaged(&out, 12 * sizeof(int));
    send<<<2, 32>>>(channel, out, 12);
    cudaDeviceSynchronize();
#ifdef REPAIRED
    for (int i = 0; i < 12; i++) {
        if (out[i] != 5 * i) return 1;
    }
#endif
    return 0;
}
