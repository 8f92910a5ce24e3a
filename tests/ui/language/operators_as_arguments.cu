// verdict: race
// race: lines 17 and 26, variable latest, global
// repaired: clean
// Kernels that macros define, which take an operator: one for each comparison or sum. The first block
// publishes a limit, and all others wait for it.
// Repaired: the wait comes before the use.
#include <cstdio>

__device__ volatile int ready;
__device__ int latest;

#define WAIT_WHILE(flag, compare, value) \
  while (*(flag) compare (value)) {      \
  }
#define PUBLISH(name, compute)                                                  \
  __device__ void name(const int* data, int n) {                               \
    latest = data[0] compute n; __threadfence(); ready = 1;                    \
  }

PUBLISH(publish_product, *)

#define COUNT_IF(name, compare)                                                 \
  __global__ void name(const int* data, int* found, int n) {                   \
    if (blockIdx.x == 0) return publish_product(data, n);                      \
    AWAIT                                                                      \
    for (int i = 0; i < n; ++i) if (data[i] compare latest) ++found[blockIdx.x]; \
  }

#ifdef REPAIRED
#define AWAIT WAIT_WHILE(&ready, ==, 0) __threadfence();
#else
#define AWAIT
#endif

COUNT_IF(count_below, <)
COUNT_IF(count_equal, ==)

int main() {
  const int n = 8;
  int values[n] = {2, 16, 30, 4, 16, 9, 12, 40}, counts[4], *data, *found;
  cudaMalloc(&data, sizeof values);
  cudaMalloc(&found, sizeof counts);
  cudaMemcpy(data, values, sizeof values, cudaMemcpyHostToDevice);
  cudaMemset(found, 0, sizeof counts);
  count_below<<<4, 1>>>(data, found, n);
  const int not_yet = 0;
  cudaMemcpyToSymbol(ready, &not_yet, sizeof ready);
  count_equal<<<4, 1>>>(data, found, n);
  cudaMemcpy(counts, found, sizeof counts, cudaMemcpyDeviceToHost);
#ifdef REPAIRED
  if (counts[1] != 6) return 1;
#endif
  std::printf("%d\n", counts[1]);
}
