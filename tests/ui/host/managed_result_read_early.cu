// verdict: race
// race: lines 12 and 26, variable out, global
// repaired: clean
// The host prints a result in managed memory right after the launch. A launch returns before the
// kernel has run.
// Repaired: the host waits first.
#include <cstdio>

constexpr int n = 128;

__global__ void square(const int* in, int* out) {
  out[threadIdx.x] = in[threadIdx.x] * in[threadIdx.x];
}

int main() {
  int *in, *out;
  cudaMallocManaged(&in, n * sizeof(int));
  cudaMallocManaged(&out, n * sizeof(int));
  // What the host does before a launch comes before it.
  for (int i = 0; i < n; ++i) in[i] = i;
  square<<<1, n>>>(in, out);
#ifdef REPAIRED
  cudaDeviceSynchronize();
#endif
  int sum = 0;
  for (int i = 0; i < n; ++i) sum += out[i];
  std::printf("%d\n", sum);
  cudaDeviceSynchronize();
  return sum == 690880 ? 0 : 1;
}
