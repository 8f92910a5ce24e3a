// verdict: race
// repaired: clean
// race: lines 26 and 42, variable s_tile, shared
// Tiles of a matrix are fetched by tensor copies, whose map is the driver's, and scaled: nobody waits for the copy. The
// driver's function is looked up by its name, as in programs that are not linked with the driver.
#include <cstdint>
#include <cuda.h>
#include <cudaTypedefs.h>
#include <cuda_runtime.h>

constexpr int tile = 16, width = 48, height = 40;

__device__ std::uint32_t shared_address(const void* p) { return static_cast<std::uint32_t>(__cvta_generic_to_shared(p)); }

__global__ void scale(const __grid_constant__ CUtensorMap map, float* out) {
  __shared__ alignas(128) float s_tile[tile][tile];
  __shared__ alignas(8) std::uint64_t full;
  const int t = threadIdx.x;
  if (t == 0) {
    asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(shared_address(&full)));
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  }
  __syncthreads();
  if (t == 0) {
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(shared_address(&full)), "r"(tile * tile * 4) : "memory");
    asm volatile(
        "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1, {%2, %3}], [%4];" ::"r"(
            shared_address(s_tile)),
        "l"(&map), "r"(static_cast<int>(blockIdx.x) * tile), "r"(static_cast<int>(blockIdx.y) * tile), "r"(shared_address(&full))
        : "memory");
  }
#ifdef REPAIRED
  std::uint32_t done = 0;
  while (done == 0) {
    asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, [%1], 0; selp.u32 %0, 1, 0, p; }"
                 : "=r"(done)
                 : "r"(shared_address(&full))
                 : "memory");
  }
#endif
  const int x = blockIdx.x * tile + t % tile, y = blockIdx.y * tile + t / tile;
  if (y < height) out[y * width + x] = 2 * s_tile[t / tile][t % tile];
}

int main() {
  float *in, *out;
  static float h[height * width];
  for (int i = 0; i < height * width; ++i) h[i] = i;
  cudaMalloc(&in, sizeof h);
  cudaMalloc(&out, sizeof h);
  cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice);
  void* found = nullptr;
  cudaDriverEntryPointQueryResult status;
  if (cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &found, 12000, cudaEnableDefault, &status) != cudaSuccess) return 2;
  const auto encode = reinterpret_cast<PFN_cuTensorMapEncodeTiled_v12000>(found);
  CUtensorMap map;
  const cuuint64_t sizes[] = {width, height}, strides[] = {width * sizeof(float)};
  const cuuint32_t box[] = {tile, tile}, steps[] = {1, 1};
  if (encode(&map, CU_TENSOR_MAP_DATA_TYPE_FLOAT32, 2, in, sizes, strides, box, steps, CU_TENSOR_MAP_INTERLEAVE_NONE,
             CU_TENSOR_MAP_SWIZZLE_NONE, CU_TENSOR_MAP_L2_PROMOTION_NONE, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE) != CUDA_SUCCESS)
    return 3;
  scale<<<dim3(width / tile, (height + tile - 1) / tile), tile * tile>>>(map, out);
  cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost);
  int wrong = 0;
  for (int i = 0; i < height * width; ++i) wrong += h[i] != 2.0f * i;
#ifdef REPAIRED
  if (wrong != 0) return 1;
#endif
}
