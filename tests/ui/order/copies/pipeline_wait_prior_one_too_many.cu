// verdict: race
// race: lines 18 and 27, variable s_ring, shared
// repaired: clean
// A ring of three batches. cuda::pipeline_consumer_wait_prior<N>() returns when at most the N newest
// batches are incomplete. After three commits, N = 2 covers the oldest batch only, while the
// second one is read as well.
// Repaired: N = 1.
#include <cuda/pipeline>
#include <cuda_runtime.h>

__global__ void oldest_two(const int* in, int* out)
{
    __shared__ int s_ring[3][32];
    const int t = threadIdx.x;
    auto pipe = cuda::make_pipeline();
    for (int i = 0; i < 3; i++) {
        pipe.producer_acquire();
        cuda::memcpy_async(&s_ring[i][t], &in[i * 32 + t], sizeof(int), pipe);
        pipe.producer_commit();
    }
#ifdef REPAIRED
    cuda::pipeline_consumer_wait_prior<1>(pipe);
#else
    cuda::pipeline_consumer_wait_prior<2>(pipe);
#endif
    int sum = 0;
    for (int i = 0; i < 2; i++) sum += s_ring[i][t];
    cuda::pipeline_consumer_wait_prior<0>(pipe);
    out[t] = sum * s_ring[2][t];
}

int main()
{
    int *in, *out;
    cudaMallocManaged(&in, 96 * sizeof(int));
    cudaMallocManaged(&out, 32 * sizeof(int));
    for (int i = 0; i < 96; i++) in[i] = i;
    oldest_two<<<1, 32>>>(in, out);
    cudaDeviceSynchronize();
#ifdef REPAIRED
    for (int i = 0; i < 32; i++) {
        if (out[i] != (2 * i + 32) * (i + 64)) return 1;
    }
#endif
    return 0;
}
