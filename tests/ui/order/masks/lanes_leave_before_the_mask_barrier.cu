// verdict: race
// race: lines 15 and 21, variable s_border, shared
// repaired: clean
// Lanes beyond the end store a border element and return; the others compute their mask by a
// ballot before that, and wait for one another. The ballot orders no memory, and the lanes that
// have left are not in the mask, so their stores are not ordered before the loads.
// Repaired: all lanes meet in a __syncwarp() before some leave.
#include <cuda_runtime.h>

__global__ void smooth(const int* in, int* out, int n)
{
    __shared__ int s_border[32];
    const int lane = threadIdx.x;
    const unsigned inside = __ballot_sync(0xffffffffu, lane < n);
    s_border[lane] = lane < n ? in[lane] : -1;
#ifdef REPAIRED
    __syncwarp();
#endif
    if (lane >= n) return;
    __syncwarp(inside);
    out[lane] = s_border[lane] + s_border[lane + 1];
}

int main()
{
    const int n = 20;
    int *in, *out;
    cudaMallocManaged(&in, n * sizeof(int));
    cudaMallocManaged(&out, n * sizeof(int));
    for (int i = 0; i < n; i++) in[i] = 10 * i;
    smooth<<<1, 32>>>(in, out, n);
    cudaDeviceSynchronize();
#ifdef REPAIRED
    for (int i = 0; i < n; i++) {
        if (out[i] != 10 * i + (i + 1 < n ? 10 * (i + 1) : -1)) return 1;
    }
#endif
    return 0;
}
