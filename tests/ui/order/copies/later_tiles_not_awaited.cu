// verdict: race
// repaired: clean
// race: lines 33 and 45, variable tile, shared
// race: lines 33 and 33, variable tile, shared
//
// Tiles of a matrix come one after the other into two stages, by functions of cuda::ptx. Nobody waits for those that come
// into a stage that was used before.
// Repaired: all threads wait for each tile.
#include <cstdint>
#include <cuda.h>
#include <cuda/ptx>
#include <cudaTypedefs.h>
#include <cuda_runtime.h>

namespace ptx = cuda::ptx;

constexpr int side = 16, tiles = 6, stages = 2;

__global__ void sums(const __grid_constant__ CUtensorMap map, float* out) {
  __shared__ alignas(128) float tile[stages][side][side];
  __shared__ alignas(8) std::uint64_t full[stages];
  const int t = threadIdx.x;
  if (t == 0) {
    for (int i = 0; i < stages; ++i) ptx::mbarrier_init(&full[i], 1);
    ptx::fence_mbarrier_init(ptx::sem_release, ptx::scope_cluster);
    ptx::fence_proxy_async(ptx::space_shared);
  }
  __syncthreads();
  const auto load = [&](int number) {
    const int stage = number % stages;
    const std::int32_t at[] = {number * side, 0};
    ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &full[stage], sizeof tile[stage]);
    ptx::cp_async_bulk_tensor(ptx::space_cluster, ptx::space_global, &tile[stage][0][0], &map, at, &full[stage]);
  };
  if (t == 0) load(0), load(1);
  float sum = 0;
  for (int number = 0; number < tiles; ++number) {
#ifndef REPAIRED
    if (number < stages)
#endif
    {
      const std::uint32_t parity = number / stages % 2;
      while (!ptx::mbarrier_try_wait_parity(&full[number % stages], parity)) {}
    }
    for (int i = 0; i < side; ++i) sum += tile[number % stages][i][t];
    __syncthreads();
    if (t == 0 && number + stages < tiles) load(number + stages);
  }
  out[t] = sum;
}

int main() {
  constexpr int width = tiles * side;
  static float h[side][width];
  for (int i = 0; i < side; ++i) {
    for (int j = 0; j < width; ++j) h[i][j] = static_cast<float>(i + j);
  }
  float *in, *out;
  cudaMalloc(&in, sizeof h);
  cudaMalloc(&out, side * sizeof(float));
  cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice);
  void* found = nullptr;
  cudaDriverEntryPointQueryResult status;
  if (cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &found, 12000, cudaEnableDefault, &status) != cudaSuccess) return 2;
  const auto encode = reinterpret_cast<PFN_cuTensorMapEncodeTiled_v12000>(found);
  CUtensorMap map;
  const cuuint64_t sizes[] = {width, side}, strides[] = {width * sizeof(float)};
  const cuuint32_t box[] = {side, side}, steps[] = {1, 1};
  if (encode(&map, CU_TENSOR_MAP_DATA_TYPE_FLOAT32, 2, in, sizes, strides, box, steps, CU_TENSOR_MAP_INTERLEAVE_NONE,
             CU_TENSOR_MAP_SWIZZLE_NONE, CU_TENSOR_MAP_L2_PROMOTION_NONE, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE) != CUDA_SUCCESS)
    return 3;
  sums<<<1, side>>>(map, out);
  float sum[side];
  cudaMemcpy(sum, out, sizeof sum, cudaMemcpyDeviceToHost);
#ifdef REPAIRED
  for (int t = 0; t < side; ++t) {
    float expected = 0;
    for (int number = 0; number < tiles; ++number) {
      for (int i = 0; i < side; ++i) expected += h[i][number * side + t];
    }
    if (sum[t] != expected) return 1;
  }
#endif
}
