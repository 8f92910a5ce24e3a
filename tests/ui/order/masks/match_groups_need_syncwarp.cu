// verdict: race
// race: lines 15 and 23, variable s_weight, shared
// repaired: clean
// Lanes with equal labels find one another by __match_any_sync(), and the last lane of each group
// adds up the weights. The match functions return masks; they imply no memory barrier.
// Repaired: each group runs a __syncwarp() with its own mask. The groups' masks are disjoint, and
// all lanes named by a mask execute a barrier with that mask, as the guide requires.
#include <cuda_runtime.h>

__global__ void sum_by_label(const int* label, int* sums)
{
    __shared__ int s_weight[32];
    const int lane = threadIdx.x;
    const int mine = label[lane];
    s_weight[lane] = lane + 1;
    const unsigned peers = __match_any_sync(0xffffffffu, mine);
#ifdef REPAIRED
    __syncwarp(peers);
#endif
    if (lane == 31 - __clz(peers)) {
        int sum = 0;
        for (int i = 0; i < 32; i++) {
            if (peers >> i & 1) sum += s_weight[i];
        }
        sums[mine] = sum;
    }
}

int main()
{
    int *label, *sums, expected[5] = {};
    cudaMallocManaged(&label, 32 * sizeof(int));
    cudaMallocManaged(&sums, 5 * sizeof(int));
    for (int i = 0; i < 32; i++) {
        label[i] = i * i % 5;
        expected[label[i]] += i + 1;
    }
    for (int i = 0; i < 5; i++) sums[i] = 0;
    sum_by_label<<<1, 32>>>(label, sums);
    cudaDeviceSynchronize();
#ifdef REPAIRED
    for (int i = 0; i < 5; i++) {
        if (sums[i] != expected[i]) return 1;
    }
#endif
    return 0;
}
