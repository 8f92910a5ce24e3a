#include <stencil.cuh>

__device__ float stencil(const float* values, int at, int n) {
  float result = weight(0) * values[at];
  if (at > 0) add_to(result, weight(1) * values[at - 1]);
  if (at < n - 1) add_to(result, weight(1) * values[at + 1]);
  return result;
}
