// verdict: race
// repaired: clean
// race: lines 22 and 27, variable s, shared
// The upper half of each block exits after it has left its values to the lower half. The texts of the assembly come from
// macros with parameters, as libraries write them.
#include <cstdio>

constexpr int threads = 64, half = threads / 2;

#define TEXT(x) #x
#define EXIT_IF(comparison, type) "{ .reg .pred p; setp." TEXT(comparison) "." #type " p, %0, %1; " ON(p) "exit; }"
#define ON(predicate) "@" #predicate " "

// Ends the thread, not only the function.
__device__ void keep_lower_half() {
  asm volatile(EXIT_IF(ge, u32)::"r"(threadIdx.x), "r"(half) : "memory");
}

__global__ void fold(const int* in, int* out) {
  __shared__ int s[threads];
  const int t = threadIdx.x, i = blockIdx.x * threads + t;
  s[t] = in[i];
#ifdef REPAIRED
  __syncthreads();
#endif
  keep_lower_half();
  out[blockIdx.x * half + t] = s[t] + s[t + half];
}

int main() {
  constexpr int blocks = 3;
  int *in, *out;
  cudaMallocManaged(&in, blocks * threads * sizeof(int));
  cudaMallocManaged(&out, blocks * half * sizeof(int));
  for (int i = 0; i < blocks * threads; ++i) in[i] = i;
  fold<<<blocks, threads>>>(in, out);
  cudaDeviceSynchronize();
  int wrong = 0;
  for (int i = 0; i < blocks * half; ++i) {
    const int first = i / half * threads + i % half;
    if (out[i] != 2 * first + half) ++wrong;
  }
  std::printf("%d wrong\n", wrong);
}
