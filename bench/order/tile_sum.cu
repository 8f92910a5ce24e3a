// Sums of tiles of sixteen lanes, in shared memory and by shuffles.
#include <cooperative_groups.h>

#include "../timing.h"

namespace cg = cooperative_groups;

__global__ void tile_sum(const int* in, int* out) {
  __shared__ int s_sum[256];
  const auto tile = cg::tiled_partition<16>(cg::this_thread_block());
  const int t = threadIdx.x, first = t / 16 * 16, rank = t % 16;
  s_sum[t] = in[blockIdx.x * 256 + t];
  tile.sync();
  for (int stride = 8; stride > 1; stride /= 2) {
    if (rank < stride) s_sum[first + rank] += s_sum[first + rank + stride];
    tile.sync();
  }
  int sum = s_sum[first + rank % 2];
  sum += tile.shfl_xor(sum, 1);
  if (rank == 0) out[(blockIdx.x * 256 + t) / 16] = sum;
}

int main(int argc, char** argv) {
  const int threads = requested_size(argc, argv, 1 << 18);
  int* const in = to_device(std::vector<int>(threads, 1));
  int* const out = to_device(std::vector<int>(threads / 16));
  print_median_time([&] { tile_sum<<<threads / 256, 256>>>(in, out); });
}
