// verdict: race
// race: lines 20 and 17, variable s_scan, shared
// repaired: clean
// An inclusive scan by a warp in shared memory. The barrier after the loads orders them before the
// stores of the same step; nothing orders the stores before the loads of the next step.
// Repaired: a second __syncwarp() in each step, after the stores.
#include <cuda_runtime.h>

__global__ void scan(const int* in, int* out)
{
    __shared__ int s_scan[96];
    const int t = threadIdx.x, lane = t % 32;
    int sum = in[t];
    s_scan[t] = sum;
    __syncwarp();
    for (int step = 1; step < 32; step *= 2) {
        const int left = lane >= step ? s_scan[t - step] : 0;
        __syncwarp();
        sum += left;
        s_scan[t] = sum;
#ifdef REPAIRED
        __syncwarp();
#endif
    }
    out[t] = sum;
}

int main()
{
    int *in, *out;
    cudaMallocManaged(&in, 96 * sizeof(int));
    cudaMallocManaged(&out, 96 * sizeof(int));
    for (int i = 0; i < 96; i++) in[i] = i % 7;
    scan<<<1, 96>>>(in, out);
    cudaDeviceSynchronize();
#ifdef REPAIRED
    for (int i = 0, sum = 0; i < 96; i++) {
        sum = (i % 32 == 0 ? 0 : sum) + in[i];
        if (out[i] != sum) return 1;
    }
#endif
    return 0;
}
