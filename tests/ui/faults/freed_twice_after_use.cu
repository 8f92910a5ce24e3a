// verdict: fault
// fault: HF002, line 19, thread 0
// fault: HF002, line 23, thread 0
// repaired: clean
//
// The second launch writes to what the first one has freed, and the run goes on; it frees it again, and the run ends.
// Repaired: the last launch frees it.
#include <cstdio>

__device__ int* numbers;

__global__ void make() {
    numbers = static_cast<int*>(malloc(64));
}

__global__ void finish(bool is_last)
{
    int* const mine = numbers;
    mine[threadIdx.x] = 1;
#ifdef REPAIRED
    if (!is_last) return;
#endif
    free(mine);
}

int main() {
    make<<<1, 1>>>();
    finish<<<1, 1>>>(false);
    finish<<<1, 1>>>(true);
    cudaDeviceSynchronize();
    std::printf("done\n");
}
