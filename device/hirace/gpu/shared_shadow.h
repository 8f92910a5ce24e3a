// Where the shadow of a block's shared memory lies, and clearing it: its words name no launch
// and only the low bits of the block clock.
//
// Words lie beside the arrays where the host has asked for more dynamic shared memory for
// them (shared_words.h), each as far behind its granule as the others are:
//
//   | the system's | static | dynamic, the program's | words of both |
//   0              first                             first + data    first + 2 data
//
// Elsewhere they lie in a slot of global memory. Either is a matter of where the word of the
// first byte would be, and all else is the same.
#pragma once

#include "check.h"

namespace hirace::gpu {

// What the system has in front of a block's shared memory, from compute capability 8.0 on.
#if __CUDA_ARCH__ >= 800
constexpr std::uint32_t system_shared_bytes = 1024;
#else
constexpr std::uint32_t system_shared_bytes = 0;
#endif

// The shared memory of a block: offsets up to the result can be addressed.
__device__ __forceinline__ std::uint32_t addressable_shared_bytes() {
  constexpr std::uint32_t unit = 128;
  return (block_shared_bytes() + system_shared_bytes + unit - 1) / unit * unit;
}

// Has the words lie beside the arrays, if the running launch is the one for which the host has
// made room.
__device__ inline bool place_words_beside(BlockContext& context, const LaunchState& launch) {
  if (launch.shared_data == 0 || launch.dynamic_shared != dynamic_shared_bytes()) return false;
  if (2 * launch.shared_data > block_shared_bytes()) return false;
  context.shared_words = static_cast<std::uint32_t*>(__cvta_shared_to_generic(launch.shared_data));
  return true;
}

// One of `count` threads that are all at the same place, by its number among them.
__device__ __forceinline__ void clear_shared_words(std::uint32_t number, std::uint32_t count) {
  std::uint32_t* const words = block_context().shared_words;
  const std::uint32_t end = is_shared(words) ? system_shared_bytes + shared_offset(words) : addressable_shared_bytes();
  for (std::uint32_t i = system_shared_bytes / granule_bytes + number; i < end / granule_bytes; i += count) {
    store_block_word(words + i, 0);
  }
}

// The same at a block barrier, to which all threads come that have not left the kernel.
// Another barrier keeps accesses behind it from being forgotten.
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
