// Each block sums its part, and the last one to finish sums the parts.
#include "../timing.h"

__device__ unsigned finished;

__global__ void last_block_sum(const int* in, int* parts, int* sum) {
  __shared__ int s_sum[256];
  __shared__ bool is_last;
  const int t = threadIdx.x;
  s_sum[t] = in[blockIdx.x * 256 + t];
  __syncthreads();
  for (int stride = 128; stride > 0; stride /= 2) {
    if (t < stride) s_sum[t] += s_sum[t + stride];
    __syncthreads();
  }
  if (t == 0) {
    parts[blockIdx.x] = s_sum[0];
    __threadfence();
    is_last = atomicAdd(&finished, 1) == gridDim.x - 1;
  }
  __syncthreads();
  if (!is_last) return;
  __threadfence();
  int own = 0;
  for (int i = t; i < gridDim.x; i += 256) own += parts[i];
  s_sum[t] = own;
  __syncthreads();
  if (t != 0) return;
  *sum = 0;
  for (int i = 0; i < 256; ++i) *sum += s_sum[i];
  finished = 0;
}

int main(int argc, char** argv) {
  const int threads = requested_size(argc, argv, 1 << 20);
  int* const in = to_device(std::vector<int>(threads, 1));
  int* const parts = to_device(std::vector<int>(threads / 256));
  int* const sum = to_device(std::vector<int>(1));
  print_median_time([&] { last_block_sum<<<threads / 256, 256>>>(in, parts, sum); });
}
