// The data that a hook needs about its thread, available in any device function.
//
// A static shared variable of a header function is the same for all code of a kernel, even across separately
// compiled files (weak symbols), and needs no argument: the block's context.
// KernelScope (scope.h) sets it up and invalidates the context at the end. In a kernel without a
// KernelScope, such as a library's that calls a hooked function, the tag is missing, and hooks do nothing.
#pragma once

#include "../hooks/launch.h"
#include "state.h"

namespace hirace::gpu {

// Memory that a parameter leads to and that the launch does not write (read_only.h).
struct alignas(16) Extent {
  std::uintptr_t begin;
  std::size_t bytes;
};

struct alignas(16) BlockContext {
  // context_tag, with the monitored spaces in its low bits.
  std::uint64_t tag;
  Word identity;  // epoch and block of every word that the block writes to global memory
  std::uint32_t* shared_words;  // shadow of the block's shared memory
  std::uint32_t accesses, outside;
  std::uint32_t live_threads;
  std::uint32_t read_only;  // arguments that lead to read-only memory, a bit for each
  std::uint32_t slot;           // of shadow of shared memory in global memory (scope.h)
  std::uint32_t first_granule;  // of the slot
  std::uint32_t exited[max_block_threads / warp_lanes];  // a bit for each lane
  Extent extents[max_arguments];  // for parameters whose reads rely on them
  // For each thread of the block: its clocks, and unchecked_clock. In the same variable, because each variable
  // takes instructions of every check for its address.
  Clocks clocks[max_block_threads];
};

// Shared memory is not cleared between kernels. A value of 62 bits distinguishes a context from
// data left by others.
constexpr std::uint64_t context_tag = 0x5c9d0e7f3ab84160u;
constexpr std::uint32_t no_slot = ~std::uint32_t{0};

inline __device__ BlockContext& block_context() {
  __shared__ BlockContext context;
  return context;
}

__device__ __forceinline__ Clocks* block_clocks() { return block_context().clocks; }

// The spaces that are checked in this block; above 3 if there is no context.
__device__ __forceinline__ std::uint64_t monitored_spaces() { return block_context().tag ^ context_tag; }
__device__ __forceinline__ bool has_context() { return monitored_spaces() <= monitor_both; }

__device__ __forceinline__ bool checks_shared() {
  return (monitored_spaces() & ~std::uint64_t{monitor_global}) == monitor_shared;
}

__device__ __forceinline__ std::uint32_t linear_thread() {
  return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
}

__device__ __forceinline__ std::uint32_t block_threads() { return blockDim.x * blockDim.y * blockDim.z; }

__device__ __forceinline__ std::uint64_t linear_block() {
  return (std::uint64_t{blockIdx.z} * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
}

__device__ __forceinline__ std::uint64_t grid_blocks() { return std::uint64_t{gridDim.x} * gridDim.y * gridDim.z; }

// Whether the words of a layout cannot number the calling thread. Its unseen accesses can hide a
// race but not cause a false one.
template <class Layout>
__device__ __forceinline__ bool is_without_number() {
  return !Layout::of_block && widths.thread < max_thread_bits && linear_thread() >= max_threads;
}

// The calling thread as a word without a state. Its flag of overflowed clocks is not kept, or lies
// in the block's field: a thread with the flag, or without a number, must never change a word.
template <class Layout>
__device__ __forceinline__ typename Layout::Word thread_identity(std::uint32_t clocks) {
  const auto thread = static_cast<typename Layout::Word>(linear_thread() & thread_mask) << Layout::thread_shift;
  if constexpr (Layout::of_block) {
    return thread | (clocks & shared_clock_mask);
  } else {
    return block_context().identity | thread | clocks;
  }
}

// The lanes of the calling thread's warp that were launched, also those that have left the kernel.
__device__ __forceinline__ std::uint32_t launched_lanes() {
  const std::uint32_t warp = linear_thread() / warp_lanes;
  const std::uint32_t threads = block_threads() - warp * warp_lanes;
  return threads >= warp_lanes ? ~std::uint32_t{0} : (std::uint32_t{1} << threads) - 1;
}

}  // namespace hirace::gpu
