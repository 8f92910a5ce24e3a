// The location of the shadow of a block's shared memory, and its clearing: its words store no
// launch, and only the low bits of the block clock.
//
// If the host has requested more dynamic shared memory for them (shared_words.h), words are next to
// the arrays, all at the same distance from their granules:
//
//   | the system's | static | dynamic, the program's | words of both |
//   0              first                             first + data    first + 2 data
//
// Otherwise they are in a slot of global memory. The two cases differ only in the position of the
// first byte's word.
#pragma once

#include "check.h"

namespace hirace::gpu {

// The memory that the system reserves at the start of a block's shared memory, from compute
// capability 8.0 on.
#if __CUDA_ARCH__ >= 800
constexpr std::uint32_t system_shared_bytes = 1024;
#else
constexpr std::uint32_t system_shared_bytes = 0;
#endif

// The shared memory of a block: offsets below the result can be addressed.
__device__ __forceinline__ std::uint32_t addressable_shared_bytes() {
  constexpr std::uint32_t unit = 128;
  return (block_shared_bytes() + system_shared_bytes + unit - 1) / unit * unit;
}

// Places the words next to the arrays, if the running launch is the one for which the host has made room.
__device__ inline bool place_words_beside(BlockContext& context, const LaunchState& launch) {
  if (launch.shared_data == 0 || launch.dynamic_shared != dynamic_shared_bytes()) return false;
  if (2 * launch.shared_data > block_shared_bytes()) return false;
  context.shared_words = static_cast<std::uint32_t*>(__cvta_shared_to_generic(launch.shared_data));
  return true;
}

// Clears the share of one of `count` converged threads, by its number among them.
__device__ __forceinline__ void clear_shared_words(std::uint32_t number, std::uint32_t count) {
  std::uint32_t* const words = block_context().shared_words;
  const std::uint32_t end = is_shared(words) ? system_shared_bytes + shared_offset(words) : addressable_shared_bytes();
  for (std::uint32_t i = system_shared_bytes / granule_bytes + number; i < end / granule_bytes; i += count) {
    store_block_word(words + i, 0);
  }
}

// The same at a block barrier, reached by all threads that have not left the kernel. A second
// barrier protects later accesses from being cleared.
inline __device__ __noinline__ void clear_at_barrier() {
  if (checks_shared()) {
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
