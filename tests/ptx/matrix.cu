// The source of matrix.ptx: nvcc -ptx -arch=sm_80 -lineinfo matrix.cu
#include <cstdint>

__device__ unsigned shared_address(const void* pointer) { return static_cast<unsigned>(__cvta_generic_to_shared(pointer)); }

template <bool waits>
__device__ void multiply(const int8_t* a, const int8_t* b, float* c) {
  __shared__ alignas(16) int8_t tile_a[16 * 32], tile_b[8 * 32];
  const int lane = threadIdx.x;
  const unsigned to_a = shared_address(tile_a + lane * 16), to_b = shared_address(tile_b + lane * 16);
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" : : "r"(to_a), "l"(a + lane * 16) : "memory");
  if (lane < 16) asm volatile("cp.async.ca.shared.global [%0], [%1], 16, 16;" : : "r"(to_b), "l"(b + lane * 16) : "memory");
  asm volatile("cp.async.commit_group;");
  if (waits) asm volatile("cp.async.wait_group 0; bar.sync 1, 32;" : : : "memory");
  unsigned a0, a1, a2, a3, b0, b1;
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(a0), "=r"(a1), "=r"(a2), "=r"(a3) : "r"(shared_address(tile_a + lane % 16 * 32 + lane / 16 * 16)));
  asm volatile("ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%0, %1}, [%2];"
               : "=r"(b0), "=r"(b1) : "r"(shared_address(tile_b + lane % 8 * 32 + lane / 8 % 2 * 16)));
  int c0 = 0, c1 = 0, c2 = 0, c3 = 0;
  asm volatile("mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
               : "+r"(c0), "+r"(c1), "+r"(c2), "+r"(c3) : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "r"(b0), "r"(b1));
  float* const out = c + lane / 4 * 8 + lane % 4 * 2;
  out[0] = c0, out[1] = c1, out[64] = c2, out[65] = c3;
}

__global__ void product(const int8_t* a, const int8_t* b, float* c) { multiply<true>(a, b, c); }
__global__ void product_without_wait(const int8_t* a, const int8_t* b, float* c) { multiply<false>(a, b, c); }
