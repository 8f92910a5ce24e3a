#include "series.h"

namespace series {

// Each round adds the partial sum that ends `distance` elements earlier.
__global__ void scan_block(int* values, int count) {
  __shared__ int sums[longest_scan];
  const int t = threadIdx.x;
  sums[t] = t < count ? values[t] : 0;
  __syncthreads();
  for (int distance = 1; distance < blockDim.x; distance *= 2) {
    const int before = t >= distance ? sums[t - distance] : 0;
    __syncthreads();
    sums[t] += before;
    __syncthreads();
  }
  if (t < count) values[t] = sums[t];
}

void prefix_sum(int* values, int count) {
  const int whole_warps = (count + 31) / 32 * 32;
  scan_block<<<1, whole_warps>>>(values, count);
}

}  // namespace series
