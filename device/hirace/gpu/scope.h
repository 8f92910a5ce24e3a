// Entering and leaving a kernel.
//
// The instrumenter puts a KernelScope at the start of every kernel's body. Its constructor sets up
// the block's context, so it needs a barrier; its destructor runs wherever a thread leaves, and the
// last thread invalidates the context.
#pragma once

#include "read_only.h"
#include "shared_shadow.h"

namespace hirace::gpu {

// Whether the host has announced the running launch. The first grid to start claims the announced launch;
// others run unchecked, because their accesses would be taken for those of the announced one.
__device__ inline bool claim_launch(LaunchState& launch) {
  const Counter mine = grid_number() + 1;
  Counter owner = *static_cast<volatile Counter*>(&launch.grid);
  if (owner == grid_awaited) owner = ::atomicCAS(&launch.grid, grid_awaited, mine);
  if (owner == grid_awaited || owner == mine) return true;
  if (owner != grid_ignored && linear_block() == 0) ::atomicAdd(&launch.unseen_grids, Counter{1});
  return false;
}

// A slot's number is stored in these bits, below the number of its multiprocessor.
constexpr unsigned slot_bits = 5;

// Takes a slot of shadow for the block's shared memory, from those of its multiprocessor, which
// suffice for all blocks that fit there.
__device__ inline bool take_slot(BlockContext& context) {
  DeviceState& state = *device_state;
  const std::uint32_t here = multiprocessor_number();
  const std::uint32_t granules = addressable_shared_bytes() / granule_bytes;
  const std::uint32_t fitting = state.shared_granules / granules;
  const std::uint32_t all = fitting >= 32 ? ~std::uint32_t{0} : (std::uint32_t{1} << fitting) - 1;
  for (std::uint32_t i = 0; i < state.multiprocessors; ++i) {
    const std::uint32_t multiprocessor = (here + i) % state.multiprocessors;
    std::uint32_t* mask = &state.slots[multiprocessor];
    std::uint32_t taken = *static_cast<volatile std::uint32_t*>(mask);
    while ((~taken & all) != 0) {
      const std::uint32_t slot = __ffs(static_cast<int>(~taken & all)) - 1;
      const std::uint32_t bit = std::uint32_t{1} << slot;
      taken = ::atomicOr(mask, bit);
      if ((taken & bit) != 0) continue;
      context.slot = multiprocessor << slot_bits | slot;
      context.first_granule = multiprocessor * state.shared_granules + slot * granules;
      return true;
    }
  }
  return false;
}

__device__ inline void set_up_context(BlockContext& context, std::uint32_t read_only) {
  context.tag = 0;
  context.slot = no_slot;
  // Reads of such memory are not counted; the one check that covers them all is.
  context.accesses = read_only != 0 ? 1 : 0;
  context.outside = 0;
  context.live_threads = block_threads();
  context.read_only = read_only;
  if (device_state == nullptr || !claim_launch(device_state->launch)) return;
  const LaunchState& launch = device_state->launch;
  const std::uint64_t block = linear_block();
  std::uint32_t spaces = block >= launch.first_block && block <= launch.last_block ? launch.spaces : monitor_none;
  // Words of shared memory store no block number and have room for every thread.
  if ((spaces & monitor_global) != 0 && block >= max_blocks) {
    report_limit(blocks_without_number);
    spaces &= ~monitor_global;
  }
  if ((spaces & monitor_global) != 0 && block_threads() > max_threads) report_limit(threads_without_number);
  if ((spaces & monitor_shared) != 0) {
    const bool beside = place_words_beside(context, launch);
    // Site words are in a slot in either case.
    if ((sites_enabled || !beside) && !take_slot(context)) {
      report_limit(shadow_memory_exhausted);
      spaces &= ~monitor_shared;
    } else if (!beside) {
      context.shared_words = device_state->shared_words + context.first_granule;
    }
  }
  context.identity = (Word{launch.epoch} << epoch_shift) | (static_cast<Word>(block % max_blocks) << GlobalLayout::block_shift);
  context.tag = context_tag | spaces;
}

// `read_only` is the first thread's: the arguments that lead to read-only memory.
inline __device__ __noinline__ void enter_kernel(std::uint32_t read_only) {
  const std::uint32_t thread = linear_thread();
  BlockContext& context = block_context();
  block_clocks()[thread] = 0;
  if (thread % warp_lanes == 0) context.exited[thread / warp_lanes] = 0;
  if (thread == 0) set_up_context(context, read_only);
  __syncthreads();
  if (!checks_shared()) return;
  clear_shared_words(thread, block_threads());
  __syncthreads();
}

inline __device__ __noinline__ void leave_kernel() {
  BlockContext& context = block_context();
  const std::uint32_t thread = linear_thread();
  ::atomicOr(&context.exited[thread / warp_lanes], std::uint32_t{1} << (thread % warp_lanes));
  __threadfence_block();
  if (::atomicSub(&context.live_threads, 1u) != 1 || !has_context()) return;
  LaunchState& launch = device_state->launch;
  ::atomicAdd(&launch.accesses, Counter{context.accesses});
  if (context.outside != 0) ::atomicAdd(&launch.outside, Counter{context.outside});
  if (context.slot != no_slot) {
    const std::uint32_t bit = std::uint32_t{1} << (context.slot & ((1u << slot_bits) - 1));
    ::atomicAnd(&device_state->slots[context.slot >> slot_bits], ~bit);
  }
  context.tag = 0;
}

}  // namespace hirace::gpu

namespace hirace {

class KernelScope {
 public:
  __device__ __forceinline__ KernelScope() { gpu::enter_kernel(0); }
  // With the kernel's parameters, which some of its hooks use. Passed by value, so that their types
  // have no top-level qualifiers.
  template <class... Parameters>
  __device__ __forceinline__ explicit KernelScope(Parameters... parameters) {
    gpu::enter_kernel(gpu::linear_thread() == 0 ? gpu::find_extents(parameters...) : 0);
  }
  __device__ __forceinline__ ~KernelScope() { gpu::leave_kernel(); }
  KernelScope(const KernelScope&) = delete;
  KernelScope& operator=(const KernelScope&) = delete;
};

}  // namespace hirace
