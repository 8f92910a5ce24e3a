// verdict: race
// race: lines 16 and 24, variable s_item, shared
// repaired: clean
// Lanes that __activemask() finds together elect a leader, which collects their items. A mask is
// only a number: __activemask() orders no memory accesses, and neither does the shuffle that
// hands out the result.
// Repaired: __syncwarp(mask) orders the stores of exactly those lanes before the leader's loads,
// whatever groups __activemask() has found.
#include <cuda_runtime.h>

__global__ void collect(int* total)
{
    __shared__ int s_item[32];
    const int lane = threadIdx.x;
    if (lane % 3 != 0) {
        s_item[lane] = lane;
        const unsigned mask = __activemask();
        const int leader = __ffs(mask) - 1;
#ifdef REPAIRED
        __syncwarp(mask);
#endif
        int sum = 0;
        if (lane == leader) {
            for (unsigned rest = mask; rest != 0; rest &= rest - 1) sum += s_item[__ffs(rest) - 1];
            atomicAdd(total, sum);
        }
        sum = __shfl_sync(mask, sum, leader);
        if (sum < 0) atomicExch(total, -1);
    }
}

int main()
{
    int* total;
    cudaMallocManaged(&total, sizeof(int));
    *total = 0;
    collect<<<1, 32>>>(total);
    cudaDeviceSynchronize();
#ifdef REPAIRED
    if (*total != 31 * 16 - 3 * 55) return 1;
#endif
    return 0;
}
