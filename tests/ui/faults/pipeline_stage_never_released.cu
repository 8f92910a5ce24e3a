// verdict: race
// race: lines 22 and 25, variable s_tile, shared
// fault: HF019, line 21
// repaired: clean
// A pipeline of two stages whose consumers never release a stage: they wait for the first one again and read the
// second one, and the third batch waits for a stage forever.
#include <cooperative_groups.h>
#include <cuda/pipeline>

namespace cg = cooperative_groups;

constexpr int width = 64;

__global__ void reverse(const int* in, int* out, int tiles) {
  __shared__ int s_tile[2][width];
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
  const auto block = cg::this_thread_block();
  auto pipeline = cuda::make_pipeline(block, &state);
  const int t = threadIdx.x;
  for (int tile = 0; tile < tiles; ++tile) {
    pipeline.producer_acquire();
    cuda::memcpy_async(block, s_tile[tile % 2], in + tile * width, sizeof(int) * width, pipeline);
    pipeline.producer_commit();
    pipeline.consumer_wait();
    out[tile * width + t] = s_tile[tile % 2][width - 1 - t];
#ifdef REPAIRED
    pipeline.consumer_release();
#endif
  }
}

int main() {
  constexpr int tiles = 4;
  int *in, *out;
  cudaMalloc(&in, tiles * width * sizeof(int));
  cudaMalloc(&out, tiles * width * sizeof(int));
  cudaMemset(in, 0, tiles * width * sizeof(int));
  reverse<<<1, width>>>(in, out, tiles);
  return cudaDeviceSynchronize();
}
