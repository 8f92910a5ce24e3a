// How the low bits of a shadow word are split on the GPU, and what follows from it.
//
// The CPU splits the 40 bits of shadow.h anew for each launch. Here the split is
// a constant of the program, so that a hook works with masks and not with loads.
//
//   HIRACE_BLOCK_BITS        names for blocks; a larger grid is not checked
//   HIRACE_BLOCK_CLOCK_BITS  block barriers that a thread may pass in a kernel
//   HIRACE_WARP_CLOCK_BITS   warp barriers between two block barriers
//   HIRACE_VOLATILE_PLAIN    volatile accesses are ordinary ones
//   HIRACE_WARPS_LOCKSTEP    lanes of a warp are ordered by their instructions
//   HIRACE_SITES=0           no site words: half the shadow memory, and no earlier
//                            access in a report
//
// All translation units of a program must agree on them.
#pragma once

#include "../transition.h"

#ifndef HIRACE_BLOCK_BITS
#define HIRACE_BLOCK_BITS 18
#endif
#ifndef HIRACE_BLOCK_CLOCK_BITS
#define HIRACE_BLOCK_CLOCK_BITS 12
#endif
#ifndef HIRACE_WARP_CLOCK_BITS
#define HIRACE_WARP_CLOCK_BITS 10
#endif
#ifndef HIRACE_SITES
#define HIRACE_SITES 1
#endif

namespace hirace::gpu {

constexpr unsigned block_bits = HIRACE_BLOCK_BITS;
constexpr unsigned block_clock_bits = HIRACE_BLOCK_CLOCK_BITS;
constexpr unsigned warp_clock_bits = HIRACE_WARP_CLOCK_BITS;
static_assert(block_bits + block_clock_bits + warp_clock_bits <= split_bits, "the word has 40 bits for block and clocks");
static_assert(block_bits > 0 && block_clock_bits > 0 && warp_clock_bits > 0, "each field needs a bit");

constexpr unsigned block_clock_shift = warp_clock_bits;
constexpr unsigned block_shift = block_clock_shift + block_clock_bits;
constexpr std::uint64_t max_blocks = std::uint64_t{1} << block_bits;

// The clocks of a thread, as they lie in its word, with a flag above them.
constexpr std::uint32_t warp_clock_mask = (std::uint32_t{1} << warp_clock_bits) - 1;
constexpr std::uint32_t block_clock_mask = ((std::uint32_t{1} << block_clock_bits) - 1) << block_clock_shift;
// A clock has overflowed: what the thread does is not checked.
constexpr std::uint32_t unchecked_clock = 1u << 31;
static_assert(block_shift <= 31, "both clocks and the flag fit into 32 bits");

constexpr Word warp_clock_field = warp_clock_mask;
constexpr Word block_clock_field = block_clock_mask;
constexpr Word block_field = (max_blocks - 1) << block_shift;

static_assert(warp_lanes == 32, "the hardware's warps");

// What transition.h asks for.
struct FixedLayout {
  static constexpr Word block_field = gpu::block_field;
  static constexpr Word block_clock_field = gpu::block_clock_field;
  static constexpr Word warp_clock_field = gpu::warp_clock_field;
};

#ifdef HIRACE_VOLATILE_PLAIN
constexpr bool volatile_strong = false;
#else
constexpr bool volatile_strong = true;
#endif

#ifdef HIRACE_WARPS_LOCKSTEP
constexpr std::uint32_t thread_mask = ~(warp_lanes - 1);
#else
constexpr std::uint32_t thread_mask = ~std::uint32_t{0};
#endif

constexpr bool sites_enabled = HIRACE_SITES != 0;

// A granule for whose bytes a thread is just setting up words of their own.
constexpr unsigned split_busy_state = 30;
static_assert(split_busy_state > split_state && split_busy_state < poison_state, "the special states are distinct");
// Nodes of the byte pool that the word of a split granule can name.
constexpr std::uint64_t max_byte_nodes = std::uint64_t{1} << (block_shift + thread_bits < 32 ? block_shift + thread_bits : 32);
constexpr unsigned race_state = static_cast<unsigned>(State::race);

// The fields of a word that matter in a state, with those that matter in every state.
struct StateMasks {
  Word keep[1u << (64 - state_shift)];
};

constexpr StateMasks state_masks_of_table() {
  StateMasks masks{};
  for (unsigned state = 0; state < 1u << (64 - state_shift); ++state) {
    const unsigned flags = state < state_count ? fsm_keep[state] : 0;
    masks.keep[state] = epoch_field | strong_flag | (flags & keep_lane ? lane_field : 0) |
                        (flags & keep_warp ? warp_field : 0) | (flags & keep_block ? block_field : 0) |
                        (flags & keep_block_clock ? block_clock_field : 0) |
                        (flags & keep_warp_clock ? warp_clock_field : 0);
  }
  return masks;
}

static_assert(state_masks_of_table().keep[static_cast<unsigned>(State::write)] ==
                  (epoch_field | strong_flag | thread_field | block_field | block_clock_field | warp_clock_field),
              "a write is remembered completely");

static __device__ const StateMasks state_masks = state_masks_of_table();

HIRACE_FUNCTION constexpr Word make_word(unsigned state, bool strong, Word identity) {
  return (Word{state} << state_shift) | (strong ? strong_flag : 0) | identity;
}

}  // namespace hirace::gpu
