// verdict: race
// race: lines 26 and 33, variable slots, global
// repaired: clean
// A ring buffer between a producer block and a consumer block: head is released and acquired.
// The producer reads tail relaxed, so the consumer's release of tail finds no acquire, and the
// write of a slot in the next round is not ordered after the consumer's read of the last round.
// Repaired: the producer acquires tail, and both directions synchronise.
#include <cstdio>
#include <cuda/atomic>
#include <cuda_runtime.h>

constexpr int capacity = 4, items = 11;
using Index = cuda::atomic<int, cuda::thread_scope_device>;
#ifdef REPAIRED
constexpr auto tail_order = cuda::memory_order_acquire;
#else
constexpr auto tail_order = cuda::memory_order_relaxed;
#endif

__global__ void stream(int* slots, Index* head, Index* tail, int* received)
{
    if (blockIdx.x == 0) {
        for (int i = 0; i < items; i++) {
            while (i - tail->load(tail_order) == capacity) {
            }
            slots[i % capacity] = 7 * i;
            head->store(i + 1, cuda::memory_order_release);
        }
    } else {
        for (int i = 0; i < items; i++) {
            while (head->load(cuda::memory_order_acquire) == i) {
            }
            received[i] = slots[i % capacity];
            tail->store(i + 1, cuda::memory_order_release);
        }
    }
}

int main()
{
    int *slots, *received, result[items];
    Index* indices;
    cudaMalloc(&slots, capacity * sizeof(int));
    cudaMalloc(&received, sizeof result);
    cudaMalloc(&indices, 2 * sizeof(Index));
    cudaMemset(indices, 0, 2 * sizeof(Index));
    stream<<<2, 1>>>(slots, indices, indices + 1, received);
    cudaMemcpy(result, received, sizeof result, cudaMemcpyDeviceToHost);
    cudaFree(slots);
    cudaFree(received);
    cudaFree(indices);
    for (int i = 0; i < items; i++) {
        if (result[i] != 7 * i) return 1;
    }
    printf("%d items\n", items);
    return 0;
}
