// verdict: race
// race: lines 16 and 25, variable s_score, shared
// repaired: clean
// A ballot finds the lanes with an odd value; these synchronise by a __syncwarp() with the ballot
// as its mask, and the first of them adds up scores. A barrier orders the lanes in its mask, so
// the scores of the even lanes, which take the other branch, are read without any order.
// Repaired: the leader reads the scores of the lanes in the mask only.
#include <cuda_runtime.h>

__global__ void odd_scores(const int* in, int* out)
{
    __shared__ int s_score[64];
    const int t = threadIdx.x, lane = t % 32, first = t - lane;
    const int value = in[t];
    const unsigned odd = __ballot_sync(0xffffffffu, value % 2);
    s_score[t] = value * 10;
    if (value % 2) {
        __syncwarp(odd);
        if (lane == __ffs(odd) - 1) {
            int sum = 0;
            for (int i = 0; i < 32; i++) {
#ifdef REPAIRED
                if (odd >> i & 1) sum += s_score[first + i];
#else
                sum += s_score[first + i];
#endif
            }
            out[t / 32] = sum;
        }
    }
}

int main()
{
    int *in, *out, expected[2] = {};
    cudaMallocManaged(&in, 64 * sizeof(int));
    cudaMallocManaged(&out, 2 * sizeof(int));
    for (int i = 0; i < 64; i++) {
        in[i] = i * 7 % 13;
        if (in[i] % 2) expected[i / 32] += in[i] * 10;
    }
    odd_scores<<<1, 64>>>(in, out);
    cudaDeviceSynchronize();
#ifdef REPAIRED
    if (out[0] != expected[0] || out[1] != expected[1]) return 1;
#endif
    return 0;
}
