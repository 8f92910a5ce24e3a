// verdict: race
// race: lines 23 and 40, variable state, global
// repaired: clean
// nvcc: -arch=sm_80
// Blocks pass a sum on in one word of 64 bits: a flag and a value. The reader polls it by a relaxed load. The
// writer stores flag and value by a weak vector store, which is no single access: load and store race.
// Repaired: one relaxed store of 64 bits.
#include <cstdio>
#include <cuda_runtime.h>

constexpr int blocks = 5;

__device__ __forceinline__ void publish(unsigned long long* state, unsigned value)
{
#ifdef REPAIRED
    asm volatile(
        "{\n\t"
        ".reg .b64 both;\n\t"
        "mov.b64 both, {%1, %2};\n\t"
        "st.relaxed.gpu.global.b64 [%0], both;\n\t"
        "}" : : "l"(state), "r"(1), "r"(value) : "memory");
#else
    asm volatile("st.global.cg.v2.b32 [%0], {%1, %2};" : : "l"(state), "r"(1), "r"(value) : "memory");
#endif
}

__device__ __forceinline__ unsigned wait_for(const unsigned long long* state)
{
    unsigned value;
    asm volatile(
        "{\n\t"
        ".reg .b64 both;\n\t"
        ".reg .b32 flag;\n\t"
        ".reg .pred is_set;\n\t"
        "$poll:\n\t"
        "ld.relaxed.gpu.global.b64 both, [%1];\n\t"
        "mov.b64 {flag, %0}, both;\n\t"
        "setp.ne.u32 is_set, flag, 0;\n\t"
        "@!is_set bra $poll;\n\t"
        "}" : "=r"(value) : "l"(state) : "memory");
    return value;
}

__global__ void chain(unsigned long long* states, unsigned* out)
{
    const unsigned before = blockIdx.x == 0 ? 0 : wait_for(&states[blockIdx.x - 1]);
    publish(&states[blockIdx.x], before + blockIdx.x + 1);
    out[blockIdx.x] = before;
}

int main()
{
    unsigned long long* states;
    unsigned* out;
    cudaMalloc(&states, blocks * sizeof *states);
    cudaMemset(states, 0, blocks * sizeof *states);
    cudaMallocManaged(&out, blocks * sizeof *out);
    chain<<<blocks, 1>>>(states, out);
    cudaDeviceSynchronize();
    for (unsigned i = 0; i < blocks; i++) {
        if (out[i] != i * (i + 1) / 2) return printf("%u: %u\n", i, out[i]), 1;
    }
    return 0;
}
