// A stencil whose tiles are copied to shared memory by a pipeline of two stages.
#include <cooperative_groups.h>
#include <cuda/pipeline>

#include "../timing.h"

namespace cg = cooperative_groups;

constexpr int width = 128, tiles = 8;

__global__ void pipeline_stencil(const int* in, int* out) {
  __shared__ int s_tile[2][width + 2];
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
  const auto block = cg::this_thread_block();
  auto pipeline = cuda::make_pipeline(block, &state);
  const int t = threadIdx.x;
  const auto fetch = [&](int tile) {
    pipeline.producer_acquire();
    cuda::memcpy_async(block, s_tile[tile % 2], in + (blockIdx.x * tiles + tile) * width, sizeof(int) * (width + 2), pipeline);
    pipeline.producer_commit();
  };
  fetch(0);
  for (int tile = 0; tile < tiles; ++tile) {
    if (tile + 1 < tiles) fetch(tile + 1);
    pipeline.consumer_wait();
    const int* const values = s_tile[tile % 2];
    out[(blockIdx.x * tiles + tile) * width + t] = values[t] + values[t + 1] + values[t + 2];
    pipeline.consumer_release();
  }
}

int main(int argc, char** argv) {
  const int threads = requested_size(argc, argv, 1 << 14), count = threads * tiles;
  int* const in = to_device(std::vector<int>(count + 2, 1));
  int* const out = to_device(std::vector<int>(count));
  print_median_time([&] { pipeline_stencil<<<threads / width, width>>>(in, out); });
}
