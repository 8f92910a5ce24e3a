// verdict: race
// repaired: clean
// race: lines 21 and 26, variable slots, shared
// race-also: lines 90 and 90, variable total, global
//
// Inline PTX calls functions of the program, by plain and by mangled names, and those of the runtime library.
// Repaired: a barrier is between the calls, and the sum is made by an atomic operation.
#include <cstdio>

struct Pair {
  float first;
  double second;
};

namespace shapes {
__device__ __noinline__ double weigh(Pair pair, signed char factor) { return factor * (pair.first + pair.second); }
}  // namespace shapes

extern "C" {
__device__ __noinline__ void keep(int* slots, int at, int value) {
  slots[at] = value;
}

// Of a thread of the other warp.
__device__ __noinline__ short turned(const int* slots, int at) {
  return static_cast<short>(slots[at ^ 32]);
}
}

__global__ void calls(int* total, double* weights) {
  __shared__ int slots[64];
  const int t = threadIdx.x;
  asm volatile(
      "{\n\t"
      ".param .b64 to;\n\t"
      ".param .b32 at;\n\t"
      ".param .b32 value;\n\t"
      "st.param.b64 [to+0], %0;\n\t"
      "st.param.b32 [at], %1;\n\t"
      "st.param.b32 [value+0], %2;\n\t"
      "call.uni keep, (to, at, value);\n\t"
      "}" ::"l"(slots), "r"(t), "r"(-t) : "memory");
#ifdef REPAIRED
  __syncthreads();
#endif
  int found;
  asm volatile(
      "{\n\t"
      ".param .b64 from;\n\t"
      ".param .b32 at;\n\t"
      ".param .b32 result;\n\t"
      "st.param.b64 [from], %1;\n\t"
      "st.param.b32 [at], %2;\n\t"
      "call (result), turned, (from, at);\n\t"
      "ld.param.s32 %0, [result];\n\t"
      "}" : "=r"(found) : "l"(slots), "r"(t) : "memory");
  double weight;
  asm volatile(
      "{\n\t"
      ".param .align 8 .b8 pair[16];\n\t"
      ".param .b32 factor;\n\t"
      ".param .b64 result;\n\t"
      "st.param.f32 [pair], %1;\n\t"
      "st.param.f64 [pair+8], %2;\n\t"
      "st.param.b32 [factor], %3;\n\t"
      "call.uni (result), _ZN6shapes5weighE4Paira, (pair, factor);\n\t"
      "ld.param.f64 %0, [result];\n\t"
      "}" : "=d"(weight) : "f"(0.5f), "d"(1.5), "r"(-3) : "memory");
  weights[t] = weight;
  int printed = 0;
  if (t == 0) {
    struct Values {
      int number;
      double real;
    } values = {found, weight};
    asm volatile(
        "{\n\t"
        ".param .b64 format;\n\t"
        ".param .b64 values;\n\t"
        ".param .b32 result;\n\t"
        "st.param.b64 [format], %1;\n\t"
        "st.param.b64 [values], %2;\n\t"
        "call.uni (result), vprintf, (format, values);\n\t"
        "ld.param.b32 %0, [result];\n\t"
        "}" : "=r"(printed) : "l"("%d %.1f\n"), "l"(&values) : "memory");
  }
#ifdef REPAIRED
  atomicAdd(total, found + printed);
#else
  *total += found + printed;
#endif
}

// The compiler keeps functions whose address is taken as they are.
__device__ void (*kept)(int*, int, int) = keep;
__device__ short (*also_kept)(const int*, int) = turned;
__device__ double (*kept_too)(Pair, signed char) = shapes::weigh;

__global__ void print() {
  printf("%d functions\n", (kept != nullptr) + (also_kept != nullptr) + (kept_too != nullptr));
}

int main() {
  int *total, sum = 0;
  double *weights, weight[64];
  cudaMalloc(&total, sizeof(int));
  cudaMalloc(&weights, sizeof weight);
  cudaMemset(total, 0, sizeof(int));
  print<<<1, 1>>>();
  calls<<<1, 64>>>(total, weights);
  cudaMemcpy(&sum, total, sizeof sum, cudaMemcpyDeviceToHost);
  cudaMemcpy(weight, weights, sizeof weight, cudaMemcpyDeviceToHost);
  for (double each : weight) {
    if (each != -6) return 3;
  }
#ifdef REPAIRED
  if (sum != -63 * 32 + 2) return 4;
#endif
}
