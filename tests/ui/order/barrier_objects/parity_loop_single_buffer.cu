// verdict: race
// race: lines 25 and 28, variable frame, shared
// repaired: clean
// All threads go through phases with wait_parity(), whose parity alternates with the round. There
// is one phase per round, which orders its stores before its loads. With one frame, the loads of a
// round and the stores of the next one are in no order.
// Repaired: two frames take turns; the next phase then lies between loads and stores of a frame.
#include <cuda/barrier>
#include <cuda_runtime.h>

__global__ void rotate(int* data, int rounds)
{
    __shared__ cuda::barrier<cuda::thread_scope_block> bar;
    __shared__ int s_frame[2][64];
    const int t = threadIdx.x;
    if (t == 0) init(&bar, 64);
    __syncthreads();
    int value = data[t];
    for (int i = 0; i < rounds; i++) {
#ifdef REPAIRED
        int* const frame = s_frame[i % 2];
#else
        int* const frame = s_frame[0];
#endif
        frame[t] = value;
        (void)bar.arrive();
        bar.wait_parity(i % 2 != 0);
        value = frame[(t + 1) % 64];
    }
    data[t] = value;
}

int main()
{
    int* data;
    cudaMallocManaged(&data, 64 * sizeof(int));
    for (int i = 0; i < 64; i++) data[i] = i;
    rotate<<<1, 64>>>(data, 6);
    cudaDeviceSynchronize();
#ifdef REPAIRED
    for (int i = 0; i < 64; i++) {
        if (data[i] != (i + 6) % 64) return 1;
    }
#endif
    return 0;
}
