// verdict: race
// race: lines 20 and 33, variable s_tile, shared
// repaired: clean
// A tile in shared memory, accessed by its 32-bit addresses through inline PTX.
// The second half of the block reads the tile before it is complete.
// Repaired: the whole block waits until it is complete.
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

constexpr int threads = 64;

__global__ void shift(const float* in, float* out)
{
    __shared__ float s_tile[threads + 1];
    const int t = threadIdx.x;
    const unsigned mine = static_cast<unsigned>(__cvta_generic_to_shared(&s_tile[t]));
    if (t == threads - 1)
        asm volatile("st.shared.f32 [%0+%1], %2;" : : "r"(mine), "n"(4), "f"(0.f));
    asm volatile("st.shared.f32 [%0], %1;" : : "r"(static_cast<unsigned>(__cvta_generic_to_shared(&s_tile[t]))),
                 "f"(in[t]) : "memory");
#ifdef REPAIRED
    asm volatile("barrier.sync 0;" ::: "memory");
#else
    __syncwarp();
#endif
    float next;
    asm volatile(
        "{\n\t"
        ".reg .u64 address;\n\t"
        "cvta.to.shared.u64 address, %1;\n\t"
        "ld.shared.f32 %0, [address + 4];\n\t"
        "}" : "=f"(next) : "l"(&s_tile[t]));
    out[t] = next;
}

int main()
{
    std::vector<float> in(threads), out(threads);
    for (int i = 0; i < threads; i++) {
        in[i] = static_cast<float>(i);
    }
    float *d_in, *d_out;
    cudaMalloc(&d_in, threads * sizeof(float));
    cudaMalloc(&d_out, threads * sizeof(float));
    cudaMemcpy(d_in, in.data(), threads * sizeof(float), cudaMemcpyHostToDevice);
    shift<<<1, threads>>>(d_in, d_out);
    cudaMemcpy(out.data(), d_out, threads * sizeof(float), cudaMemcpyDeviceToHost);
    cudaFree(d_in);
    cudaFree(d_out);
#ifdef REPAIRED
    for (int i = 0; i < threads; i++) {
        if (out[i] != (i + 1 < threads ? in[i + 1] : 0.f)) {
            fprintf(stderr, "wrong element %d\n", i);
            return 1;
        }
    }
#endif
    printf("shifted %d elements\n", threads);
    return 0;
}
