// verdict: race
// race: lines 15 and 20, variable s_value, shared
// repaired: clean
// A thread starts a copy of a default and then a copy of the real value to the same place. There is
// no memory order between two copies of one group (PTX ISA, cp.async.commit_group): either may
// be the last one.
// Repaired: the default has arrived before the second copy starts.
#include <cuda_pipeline_primitives.h>
#include <cuda_runtime.h>

__global__ void with_default(const int* fallback, const int* value, int* out)
{
    __shared__ int s_value[32];
    const int t = threadIdx.x;
    __pipeline_memcpy_async(&s_value[t], fallback, sizeof(int));
#ifdef REPAIRED
    __pipeline_commit();
    __pipeline_wait_prior(0);
#endif
    if (value[t] != 0) __pipeline_memcpy_async(&s_value[t], &value[t], sizeof(int));
    __pipeline_commit();
    __pipeline_wait_prior(0);
    out[t] = s_value[t];
}

int main()
{
    int *fallback, *value, *out;
    cudaMallocManaged(&fallback, sizeof(int));
    cudaMallocManaged(&value, 32 * sizeof(int));
    cudaMallocManaged(&out, 32 * sizeof(int));
    *fallback = 99;
    for (int i = 0; i < 32; i++) value[i] = i % 3;
    with_default<<<1, 32>>>(fallback, value, out);
    cudaDeviceSynchronize();
#ifdef REPAIRED
    for (int i = 0; i < 32; i++) {
        if (out[i] != (i % 3 == 0 ? 99 : i % 3)) return 1;
    }
#endif
    return 0;
}
