// verdict: clean
// predict: 8
// Two locks for readers and writers. Of the first, readers add to a number from which a writer takes much;
// of the second, readers count themselves and look for a writer, who waits until their number is zero.
#include <cstdio>
#include <cuda/atomic>
#include <cuda_runtime.h>

__device__ cuda::atomic<int, cuda::thread_scope_device> state{0};
__device__ cuda::atomic<int, cuda::thread_scope_device> writer{0}, readers{0};
__device__ int shared_value = 0, other_value = 0;
__device__ int seen[6];

__global__ void mix()
{
    const int me = blockIdx.x;
    if (me % 3 == 0) {
        int expected = 0;
        while (!state.compare_exchange_strong(expected, -100, cuda::memory_order_acquire, cuda::memory_order_relaxed)) {
            expected = 0;
        }
        shared_value += 1;
        state.fetch_add(100, cuda::memory_order_release);

        while (writer.exchange(1) != 0) {
        }
        while (readers.load() != 0) {
        }
        other_value += 1;
        writer.store(0);
    } else {
        while (state.fetch_add(1, cuda::memory_order_acquire) < 0) {
            state.fetch_sub(1, cuda::memory_order_relaxed);
        }
        seen[me] = shared_value;
        state.fetch_sub(1, cuda::memory_order_release);

        for (;;) {
            while (writer.load() != 0) {
            }
            readers.fetch_add(1);
            if (writer.load() == 0) break;
            readers.fetch_sub(1);
        }
        seen[me] += other_value;
        readers.fetch_sub(1);
    }
}

int main()
{
    mix<<<6, 1>>>();
    int last = 0;
    cudaMemcpyFromSymbol(&last, shared_value, sizeof last);
    if (last != 2) return 1;
    printf("%d\n", last);
    return 0;
}
