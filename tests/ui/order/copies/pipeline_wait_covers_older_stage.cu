// verdict: race
// race: lines 17 and 26, variable s_stage, shared
// repaired: clean
// Two batches are committed to a thread's pipeline. consumer_wait() waits for the oldest batch that
// has not been waited for; the batch behind it may still be on its way when it is read.
// Repaired: the first wait is followed by a read of the first batch, the second by one of the second.
#include <cuda/pipeline>
#include <cuda_runtime.h>

__global__ void two_stages(const int* in, int* out)
{
    __shared__ int s_stage[2][32];
    const int t = threadIdx.x;
    auto pipe = cuda::make_pipeline();
    for (int stage = 0; stage < 2; stage++) {
        pipe.producer_acquire();
        cuda::memcpy_async(&s_stage[stage][t], &in[stage * 32 + t], sizeof(int), pipe);
        pipe.producer_commit();
    }
    int sum = 0;
    for (int i = 0; i < 2; i++) {
        pipe.consumer_wait();
#ifdef REPAIRED
        sum += (i + 1) * s_stage[i][t];
#else
        sum += (i + 1) * s_stage[1 - i][t];
#endif
        pipe.consumer_release();
    }
    out[t] = sum;
}

int main()
{
    int *in, *out;
    cudaMallocManaged(&in, 64 * sizeof(int));
    cudaMallocManaged(&out, 32 * sizeof(int));
    for (int i = 0; i < 64; i++) in[i] = i;
    two_stages<<<1, 32>>>(in, out);
    cudaDeviceSynchronize();
#ifdef REPAIRED
    for (int i = 0; i < 32; i++) {
        if (out[i] != i + 2 * (i + 32)) return 1;
    }
#endif
    return 0;
}
