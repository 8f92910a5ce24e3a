// verdict: race
// race: lines 27 and 16, variable data, global
// repaired: clean
// thrust::cuda::par_nosync lets an algorithm return before its stream is done. A kernel on another
// stream reads what the algorithm still writes.
// Repaired: with thrust::cuda::par, the host waits for the stream of the algorithm.
#include <cstdio>
#include <thrust/device_vector.h>
#include <thrust/execution_policy.h>
#include <thrust/sequence.h>

__global__ void twice(const int* data, int* out, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    // Reads what thrust writes.
    if (i < n) out[i] = 2 * data[i];
}

int main()
{
    const int n = 500;
    thrust::device_vector<int> data(n), out(n);
    cudaStream_t first, second;
    cudaStreamCreate(&first);
    cudaStreamCreate(&second);
#ifndef REPAIRED
    thrust::sequence(thrust::cuda::par_nosync.on(first), data.begin(), data.end());
#else
    thrust::sequence(thrust::cuda::par.on(first), data.begin(), data.end());
#endif
    twice<<<2, 256, 0, second>>>(thrust::raw_pointer_cast(data.data()), thrust::raw_pointer_cast(out.data()), n);
    cudaStreamSynchronize(second);
    const int last = out[n - 1];
    printf("%d\n", last);
    return last == 998 ? 0 : 1;
}
