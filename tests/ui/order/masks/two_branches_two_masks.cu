// verdict: race
// race: lines 21 and 34, variable s_sum, shared
// race: lines 28 and 34, variable s_sum, shared
// repaired: clean
// The lanes below 12 and the others compute in two branches, each with a __syncwarp() for its own
// lanes. Each of these orders its own branch. Lane 31 then reads what lane 0 and lane 12 wrote:
// lane 0 is in no mask together with lane 31, and lane 12 writes after the barrier of its branch.
// Repaired: a __syncwarp() of all lanes after the branches orders both writes before the read.
#include <cuda_runtime.h>

__global__ void two_sums(const int* in, int* out)
{
    __shared__ int s_part[32], s_sum[2];
    const int lane = threadIdx.x;
    s_part[lane] = in[lane];
    if (lane < 12) {
        __syncwarp(0x00000fffu);
        if (lane == 0) {
            int sum = 0;
            for (int i = 0; i < 12; i++) sum += s_part[i];
            s_sum[0] = sum;
        }
    } else {
        __syncwarp(0xfffff000u);
        if (lane == 12) {
            int sum = 0;
            for (int i = 12; i < 32; i++) sum += s_part[i];
            s_sum[1] = sum;
        }
    }
#ifdef REPAIRED
    __syncwarp();
#endif
    if (lane == 31) *out = s_sum[0] - s_sum[1];
}

int main()
{
    int *in, *out;
    cudaMallocManaged(&in, 32 * sizeof(int));
    cudaMallocManaged(&out, sizeof(int));
    for (int i = 0; i < 32; i++) in[i] = i;
    two_sums<<<1, 32>>>(in, out);
    cudaDeviceSynchronize();
#ifdef REPAIRED
    if (*out != 66 - 430) return 1;
#endif
    return 0;
}
