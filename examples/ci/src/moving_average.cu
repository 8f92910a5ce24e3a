#include "series.h"

namespace series {

constexpr int block_size = 128;

// A block loads its part of the series and `radius` more values at either end.
__global__ void average_tile(const float* values, float* means, int count) {
  __shared__ float tile[block_size + 2 * radius];
  const int first = blockIdx.x * block_size - radius;
  for (int i = threadIdx.x; i < block_size + 2 * radius; i += block_size) {
    const int from = first + i;
    tile[i] = from >= 0 && from < count ? values[from] : 0.0f;
  }
  __syncthreads();

  const int to = blockIdx.x * block_size + threadIdx.x;
  if (to >= count) return;
  float sum = 0.0f;
  for (int i = 0; i <= 2 * radius; ++i) sum += tile[threadIdx.x + i];
  means[to] = sum / (2 * radius + 1);
}

void moving_average(const float* values, float* means, int count) {
  average_tile<<<(count + block_size - 1) / block_size, block_size>>>(values, means, count);
}

}  // namespace series
