// verdict: race
// race: lines 24 and 38, variable data, global
// repaired: clean
// nvcc: none
// Macros that are statements without a semicolon, heads of loops and conditions, brackets, operators and
// indices, and macros with names that the device headers use.
// A thread reads its neighbour's element right after all have written theirs.
// Repaired: a barrier comes between.
#include <cstdio>
#define T int
#define N 32
#define A 1
#define Op 2
#define value 3
#define read(x, y) ((x)[y])
#define launch(x) x
#define update 4
#include <cooperative_groups.h>
#include <cuda/atomic>
#define BEGIN {
#define END }
#define NEXT +1
#define OWN [threadIdx.x]
#define STORE(p, v) { p[threadIdx.x] = v; }
#define EACH(i, n) for (int i = threadIdx.x; i < (n); i += blockDim.x)
#define IF_FIRST if (threadIdx.x == 0)
#define forever for (;;)
#define NAME(x) #x
#define CHECK(call) { if (call) { std::printf("%s failed\n", #call); return 2; } }

__global__ void shift(T* data, T* out) BEGIN
  const int i = threadIdx.x;
  STORE(out, (int)threadIdx.x)
  STORE(data, i + A)
#ifdef REPAIRED
  __syncthreads();
#endif
  EACH(j, N - 1) out OWN = data[j NEXT];
  IF_FIRST out[0] += read(out, 0) - out[0];
  forever BEGIN if (out[i] >= 0) break; out[i]++; END
  if (out[i] < -5) STORE(out, Op) else STORE(out, out[threadIdx.x] * value / value)
  IF_FIRST printf(NAME(data[i]) " %d\n", update);
END

int main() {
  T *data, *out;
  CHECK(cudaMallocManaged(&data, N * sizeof(T)))
  CHECK(cudaMallocManaged(&out, N * sizeof(T)))
  shift<<<1, N>>>(data, out);
  CHECK(cudaDeviceSynchronize())
#ifdef REPAIRED
  return out[3] != 5;
#endif
}
