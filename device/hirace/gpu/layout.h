// The split of a shadow word on the GPU, and its consequences.
//
// The CPU splits the word of shadow.h anew for each launch. Here the split is a constant of the
// program, so that hooks use constant masks instead of loads.
//
//   HIRACE_THREAD_BITS       bits for the thread number in its block
//   HIRACE_BLOCK_BITS        bits for the block number
//   HIRACE_BLOCK_CLOCK_BITS  bits for block barriers in a kernel
//   HIRACE_WARP_CLOCK_BITS   bits for warp barriers between two block barriers
//   HIRACE_VOLATILE_PLAIN    volatile accesses are ordinary ones
//   HIRACE_SHUFFLES_ORDER    shuffles and votes order the accesses of their lanes
//   HIRACE_WARPS_LOCKSTEP    lanes of a warp are ordered by their instructions
//   HIRACE_SITES=0           no site words: less shadow memory, and no earlier
//                            access in a report
//
// Threads, blocks and clocks that do not fit into a word are not checked, and the report says so.
// All translation units of a program must use the same values.
#pragma once

#include <algorithm>

#include "../checker/transition.h"

#ifndef HIRACE_THREAD_BITS
#define HIRACE_THREAD_BITS (HIRACE_WORD_BYTES == 8 ? 10 : 8)
#endif
#ifndef HIRACE_BLOCK_BITS
#define HIRACE_BLOCK_BITS (HIRACE_WORD_BYTES == 8 ? 18 : 9)
#endif
#ifndef HIRACE_BLOCK_CLOCK_BITS
#define HIRACE_BLOCK_CLOCK_BITS (HIRACE_WORD_BYTES == 8 ? 12 : 3)
#endif
#ifndef HIRACE_WARP_CLOCK_BITS
#define HIRACE_WARP_CLOCK_BITS (HIRACE_WORD_BYTES == 8 ? 10 : 3)
#endif
#ifndef HIRACE_SITES
#define HIRACE_SITES 1
#endif

namespace hirace::gpu {

constexpr Widths widths{HIRACE_THREAD_BITS, HIRACE_BLOCK_BITS, HIRACE_BLOCK_CLOCK_BITS, HIRACE_WARP_CLOCK_BITS};
static_assert(widths.thread + widths.block + widths.block_clock + widths.warp_clock <= split_bits,
              "the word has 50 bits for thread, block and clocks, with HIRACE_WORD_BYTES=4 it has 23");
static_assert(widths.block > 0 && widths.block_clock > 0 && widths.warp_clock > 0, "each field needs a bit");
static_assert(widths.thread >= min_thread_bits && widths.thread <= max_thread_bits, "a block has 32 to 1024 threads");

// Words of shared memory belong to one block and are cleared when it begins, so they store neither
// launch nor block. They have the low bits of the block clock and are cleared again whenever these
// wrap, since everything older is covered by then.
using SharedFormat = WordFormat<std::uint32_t, 0>;
constexpr unsigned shared_clock_room = SharedFormat::split_bits - max_thread_bits - widths.warp_clock;
static_assert(widths.warp_clock + max_thread_bits < SharedFormat::split_bits, "words of shared memory have 15 bits for the warp clock");
constexpr unsigned shared_block_clock_bits = shared_clock_room < widths.block_clock ? shared_clock_room : widths.block_clock;

// A split as constants, so that no object in device memory is needed.
template <class FormatOf, unsigned thread, unsigned block, unsigned block_clock, unsigned warp_clock>
struct FixedLayout : FormatOf {
  using Word = typename FormatOf::Word;
  static constexpr bool of_block = block == 0;  // words of shared memory
  static constexpr Split<FormatOf> split{Widths{thread, block, block_clock, warp_clock}};
  static constexpr unsigned thread_shift = split.thread_shift, block_shift = split.block_shift;
  static constexpr unsigned block_clock_shift = split.block_clock_shift;
  static constexpr Word lane_field = split.lane_field, warp_field = split.warp_field, thread_field = lane_field | warp_field;
  static constexpr Word block_field = split.block_field;
  static constexpr Word block_clock_field = split.block_clock_field, warp_clock_field = split.warp_clock_field;

  HIRACE_DEVICE_HOOK static Word thread_of(Word word) { return (word & thread_field) >> thread_shift; }
  HIRACE_DEVICE_HOOK static Word block_of(Word word) { return (word & block_field) >> block_shift; }
  HIRACE_FUNCTION static constexpr Word make_word(unsigned state, bool strong, Word identity) {
    return (Word{state} << FormatOf::state_shift) | (strong ? FormatOf::strong_flag : 0) | identity;
  }
};

using SharedLayout = FixedLayout<SharedFormat, max_thread_bits, 0, shared_block_clock_bits, widths.warp_clock>;
using GlobalLayout = FixedLayout<Format, widths.thread, widths.block, widths.block_clock, widths.warp_clock>;
constexpr std::uint64_t max_blocks = std::uint64_t{1} << widths.block;
constexpr std::uint32_t max_threads = std::uint32_t{1} << widths.thread;

// The clocks of a thread, at their positions in its word, with a flag above them.
constexpr std::uint32_t warp_clock_mask = static_cast<std::uint32_t>(GlobalLayout::warp_clock_field);
constexpr std::uint32_t block_clock_mask = static_cast<std::uint32_t>(GlobalLayout::block_clock_field);
// The part of them that a word of shared memory has, at the same position.
constexpr std::uint32_t shared_clock_mask = SharedLayout::warp_clock_field | SharedLayout::block_clock_field;
using Clocks = std::conditional_t<GlobalLayout::block_shift <= 15, std::uint16_t, std::uint32_t>;
// A clock has overflowed: the thread's accesses are not checked.
constexpr std::uint32_t unchecked_clock = 1u << (8 * sizeof(Clocks) - 1);
static_assert(GlobalLayout::block_shift < 8 * sizeof(Clocks), "both clocks and the flag fit");

static_assert(warp_lanes == 32, "the hardware's warps");

#ifdef HIRACE_VOLATILE_PLAIN
constexpr bool volatile_strong = false;
#else
constexpr bool volatile_strong = true;
#endif

#ifdef HIRACE_SHUFFLES_ORDER
constexpr bool shuffles_in_order = true;
#else
constexpr bool shuffles_in_order = false;
#endif

#ifdef HIRACE_WARPS_LOCKSTEP
constexpr std::uint32_t thread_mask = ~(warp_lanes - 1);
#else
constexpr std::uint32_t thread_mask = ~std::uint32_t{0};
#endif

constexpr bool sites_enabled = HIRACE_SITES != 0;
using SiteWord = std::uint64_t;

// A granule whose bytes are just getting their own words.
constexpr unsigned split_busy_state = 30;
static_assert(split_busy_state > split_state && split_busy_state < poison_state, "the special states are distinct");
// Nodes of the byte pool that the word of a split granule can number.
constexpr unsigned node_bits = std::min({GlobalLayout::block_shift + widths.thread, SharedLayout::block_shift + max_thread_bits, 32u});
constexpr std::uint64_t max_byte_nodes = std::uint64_t{1} << node_bits;
constexpr unsigned race_state = static_cast<unsigned>(State::race);

// The fields of a word that matter in a state, and those that matter in every state.
template <class Layout>
struct StateMasks {
  static constexpr unsigned states = 1u << Layout::state_bits;
  typename Layout::Word keep[states];

  static constexpr StateMasks of_table() {
    StateMasks masks{};
    for (unsigned state = 0; state < states; ++state) {
      masks.keep[state] = Layout::epoch_field | Layout::strong_flag | Layout::split.kept(state);
    }
    return masks;
  }
};

static_assert(StateMasks<GlobalLayout>::of_table().keep[static_cast<unsigned>(State::write)] ==
                  (epoch_field | strong_flag | GlobalLayout::thread_field | GlobalLayout::block_field |
                   GlobalLayout::block_clock_field | GlobalLayout::warp_clock_field),
              "a write is remembered completely");

static __device__ const StateMasks<GlobalLayout> global_masks = StateMasks<GlobalLayout>::of_table();
static __device__ const StateMasks<SharedLayout> shared_masks = StateMasks<SharedLayout>::of_table();

template <class Layout>
HIRACE_DEVICE_HOOK typename Layout::Word kept_fields(unsigned state) {
  if constexpr (Layout::of_block) {
    return shared_masks.keep[state];
  } else {
    return global_masks.keep[state];
  }
}

}  // namespace hirace::gpu
