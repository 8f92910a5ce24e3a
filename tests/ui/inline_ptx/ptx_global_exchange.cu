// verdict: race
// race: lines 19 and 26, variable data, global
// repaired: clean
// Inline PTX writes an array with a predicated store and reads it in reverse order.
// Nothing orders the two: the barrier is missing.
// Repaired: the barrier between them is inline PTX as well.
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

constexpr int n = 128;

__global__ void reverse(int* data, int* out)
{
    const int t = threadIdx.x;
    const int2 pair = {2 * t, 2 * t + 1};
    const int wanted = t < n / 2;
    asm volatile("{\n\t.reg .pred p;\n\tsetp.ne.b32 p, %3, 0; // half of the threads store\n\t"
                 "@p st.global.v2.u32 [%0], {%1, %2};\n\t}" : : "l"(data + 2 * t),
                 "r"(pair.x), "r"(pair.y), "r"(wanted) : "memory");
#ifdef REPAIRED
    asm volatile("bar.sync 0;");
#endif
    int value;
    asm volatile("ld.global.L1::no_allocate.u32 %0, [%1+-4];" : "=r"(value)
                 : "l"(data + n - t));
    out[t] = value;
}

int main()
{
    std::vector<int> out(n);
    int *d_data, *d_out;
    cudaMalloc(&d_data, n * sizeof(int));
    cudaMalloc(&d_out, n * sizeof(int));
    cudaMemset(d_data, 0, n * sizeof(int));
    reverse<<<1, n>>>(d_data, d_out);
    cudaMemcpy(out.data(), d_out, n * sizeof(int), cudaMemcpyDeviceToHost);
    cudaFree(d_data);
    cudaFree(d_out);
#ifdef REPAIRED
    for (int i = 0; i < n; i++) {
        if (out[i] != n - 1 - i) {
            fprintf(stderr, "wrong element %d\n", i);
            return 1;
        }
    }
#endif
    printf("reversed %d elements\n", n);
    return 0;
}
