// Clearing the shadow of a block's shared memory, whose words name no launch and only the low
// bits of the block clock.
#pragma once

#include "check.h"

namespace hirace::gpu {

// The shared memory of a block: offsets up to the result can be addressed. From
// compute capability 8.0 on the system has the first KiB.
__device__ __forceinline__ std::uint32_t addressable_shared_bytes() {
#if __CUDA_ARCH__ >= 800
  constexpr std::uint32_t reserved = 1024;
#else
  constexpr std::uint32_t reserved = 0;
#endif
  constexpr std::uint32_t unit = 128;
  return (block_shared_bytes() + reserved + unit - 1) / unit * unit;
}

// One of `count` threads that are all at the same place, by its number among them.
__device__ __forceinline__ void clear_shared_words(std::uint32_t number, std::uint32_t count) {
  std::uint32_t* const words = block_context().shared_words;
  const std::uint32_t granules = addressable_shared_bytes() / granule_bytes;
  for (std::uint32_t i = number; i < granules; i += count) store_block_word(words + i, 0);
}

// The same at a block barrier, to which all threads come that have not left the kernel.
// Another barrier keeps accesses behind it from being forgotten.
inline __device__ __noinline__ void clear_at_barrier() {
  if ((monitored_spaces() & ~std::uint64_t{monitor_global}) == monitor_shared) {
    const volatile std::uint32_t* const exited = block_context().exited;
    const std::uint32_t thread = linear_thread(), warps = (block_threads() + warp_lanes - 1) / warp_lanes;
    std::uint32_t before = 0, all = 0;
    for (std::uint32_t warp = 0; warp < warps; ++warp) {
      const std::uint32_t threads = min(block_threads() - warp * warp_lanes, std::uint32_t{warp_lanes});
      const std::uint32_t live = ~exited[warp] & (all_lanes >> (warp_lanes - threads));
      if (warp < thread / warp_lanes) before += __popc(live);
      if (warp == thread / warp_lanes) before += __popc(live & ((1u << thread % warp_lanes) - 1));
      all += __popc(live);
    }
    clear_shared_words(before, all);
  }
  __syncthreads();
}

}  // namespace hirace::gpu
