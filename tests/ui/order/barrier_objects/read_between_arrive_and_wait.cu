// verdict: race
// race: lines 19 and 26, variable s_height, shared
// repaired: clean
// barrier.arrive() says that a thread's own stores are done; only wait() with the token says that
// those of the others are (libcu++: the completion of the phase happens before the return of
// wait). A neighbour's element that is loaded between the two is not ordered.
// Repaired: the load comes after the wait, and only private work in between.
#include <cuda/barrier>
#include <cuda/std/utility>
#include <cuda_runtime.h>

__global__ void slope(const int* height, int* out)
{
    __shared__ cuda::barrier<cuda::thread_scope_block> bar;
    __shared__ int s_height[96];
    const int t = threadIdx.x;
    if (t == 0) init(&bar, blockDim.x);
    __syncthreads();
    s_height[t] = height[t];
    auto token = bar.arrive();
#ifdef REPAIRED
    const int own = height[t];
    bar.wait(cuda::std::move(token));
    out[t] = s_height[(t + 40) % 96] - own;
#else
    const int difference = s_height[(t + 40) % 96] - height[t];
    bar.wait(cuda::std::move(token));
    out[t] = difference;
#endif
}

int main()
{
    int *height, *out;
    cudaMallocManaged(&height, 96 * sizeof(int));
    cudaMallocManaged(&out, 96 * sizeof(int));
    for (int i = 0; i < 96; i++) height[i] = i * i;
    slope<<<1, 96>>>(height, out);
    cudaDeviceSynchronize();
#ifdef REPAIRED
    for (int i = 0; i < 96; i++) {
        const int to = (i + 40) % 96;
        if (out[i] != to * to - i * i) return 1;
    }
#endif
    return 0;
}
