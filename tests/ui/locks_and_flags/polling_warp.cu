// verdict: race
// race: lines 32 and 28, variable value, global
// repaired: clean
// Warps poll together: a lane reads the flag, and the loop goes on until a shuffle has brought its value to
// all of them. What they wait for is written by a block that starts last.
// Repaired: the flag is written with release and read with acquire semantics.
#include <cstdio>
#include <cuda/atomic>
#include <cuda_runtime.h>

constexpr unsigned all_lanes = 0xffffffff;
constexpr int blocks = 16;

#ifdef REPAIRED
constexpr auto store_order = cuda::memory_order_release, load_order = cuda::memory_order_acquire;
#else
constexpr auto store_order = cuda::memory_order_relaxed, load_order = cuda::memory_order_relaxed;
#endif

__global__ void broadcast(int* word, int* value, int* out)
{
    cuda::atomic_ref<int, cuda::thread_scope_device> flag(*word);
    if (blockIdx.x + 1 < gridDim.x) {
        int seen = 0;
        while (__shfl_sync(all_lanes, seen, 0) == 0) {
            if (threadIdx.x % 32 == 0) seen = flag.load(load_order);
        }
        if (threadIdx.x % 32 == 0) atomicAdd(out, *value);
    } else if (threadIdx.x != 0) {
        return;
    } else {
        *value = 3;
        flag.store(1, store_order);
    }
}

int main()
{
    int* memory;
    cudaMalloc(&memory, 3 * sizeof(int));
    cudaMemset(memory, 0, 3 * sizeof(int));
    broadcast<<<blocks, 128>>>(memory, memory + 1, memory + 2);
    int sum;
    cudaMemcpy(&sum, memory + 2, sizeof sum, cudaMemcpyDeviceToHost);
    printf("%d\n", sum);
    return sum != 3 * 4 * (blocks - 1);
}
