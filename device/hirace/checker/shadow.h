// The shadow word: what the checker remembers of the last access to a granule.
//
// A granule is four bytes of device memory. Its word (HiRace, SC24, section IV) has eight:
//
//   63    59 58       51   50    49 ...................................... 0
//   | state | epoch 8  | strong | thread | block | block clock | warp clock |
//   |   5   |          |   1    |        50 bits, split per launch          |
//
// or, with HIRACE_WORD_BYTES=4, four:
//
//   31    27 26       24   23    22 ...................................... 0
//   | state | epoch 3  | strong | thread | block | block clock | warp clock |
//   |   5   |          |   1    |        23 bits, split per launch          |
//
//   state        one of the 25 states of generated/fsm_table.h, or one of the
//                special states below
//   epoch        the launch that wrote the word, modulo 255 or 7, never 0. A word of
//                another epoch reads as INIT, so a launch clears nothing until the
//                epoch counter wraps. Zeroed memory is a word without an epoch.
//   strong       all accesses recorded so far are volatile reads (see access.h)
//   thread       linear thread number in the block; warp and lane are its parts
//   block        linear block number in the grid
//   block clock  block barriers that the recorded thread had passed
//   warp clock   warp barriers since its last block barrier
//
// On the CPU the split is chosen for each launch from the sizes of grid and block, so that clocks
// get all remaining bits; the configuration can fix it. Fields that can no longer influence a
// transition are stored as zero; masks derived from the specification (fsm_keep) list them per
// state.
#pragma once

#include <type_traits>

#include "../hooks/backend.h"
#include "../generated/fsm_table.h"

namespace hirace {

#ifndef HIRACE_WORD_BYTES
#define HIRACE_WORD_BYTES 8
#endif
constexpr unsigned word_bytes = HIRACE_WORD_BYTES;
static_assert(word_bytes == 4 || word_bytes == 8, "HIRACE_WORD_BYTES is 4 or 8");

constexpr unsigned granule_bytes = 4;
// Lanes of a warp. The CPU executor can be compiled with fewer, so that small blocks have several
// warps: code that orders only a warp where it must order the block then races.
#ifndef HIRACE_WARP_SIZE
#define HIRACE_WARP_SIZE 32
#endif
constexpr unsigned warp_lanes = HIRACE_WARP_SIZE;
static_assert(warp_lanes >= 1 && warp_lanes <= 32 && (warp_lanes & (warp_lanes - 1)) == 0, "HIRACE_WARP_SIZE is 1, 2, 4, 8, 16 or 32");
constexpr std::uint32_t all_lanes = ~std::uint32_t{0} >> (32 - warp_lanes);
constexpr unsigned max_block_threads = 1024;

// A word, and those of its fields whose position is the same in every launch. Only this header and
// transition.h look inside a word; other code uses masks.
template <class Bits, unsigned epoch_width>
struct WordFormat {
  using Word = Bits;
  static constexpr unsigned state_bits = 5, epoch_bits = epoch_width;
  static constexpr unsigned state_shift = 8 * sizeof(Word) - state_bits;
  static constexpr unsigned epoch_shift = state_shift - epoch_bits;
  static constexpr unsigned strong_shift = epoch_shift - 1;
  static constexpr unsigned split_bits = strong_shift;
  static constexpr Word state_field = static_cast<Word>(~Word{0} << state_shift);
  static constexpr Word epoch_field = static_cast<Word>((Word{1} << state_shift) - (Word{1} << epoch_shift));
  static constexpr Word strong_flag = Word{1} << strong_shift;

  HIRACE_FUNCTION static constexpr unsigned state_of(Word word) { return static_cast<unsigned>(word >> state_shift); }
};

using Format = WordFormat<std::conditional_t<word_bytes == 8, std::uint64_t, std::uint32_t>, word_bytes == 8 ? 8 : 3>;
using Word = Format::Word;
constexpr unsigned state_shift = Format::state_shift;
constexpr unsigned epoch_shift = Format::epoch_shift;
constexpr unsigned split_bits = Format::split_bits;
constexpr std::uint32_t max_epoch = (1u << Format::epoch_bits) - 1;
constexpr Word state_field = Format::state_field;
constexpr Word epoch_field = Format::epoch_field;
constexpr Word strong_flag = Format::strong_flag;

HIRACE_FUNCTION constexpr unsigned state_of(Word word) { return Format::state_of(word); }

// Widths of the four fields that the rest of the word is split into.
struct Widths {
  unsigned thread, block, block_clock, warp_clock;
};

// Bits for a block of the largest size, and bits that distinguish the lanes of a warp.
constexpr unsigned max_thread_bits = 10, min_thread_bits = 5;
static_assert((1u << max_thread_bits) == max_block_threads, "every thread of a block has a number");
static_assert((1u << min_thread_bits) >= warp_lanes, "and every lane of its warp");

// The positions of a word's other fields: masks in place, and shifts.
template <class FormatOf>
struct Split : FormatOf {
  using Word = typename FormatOf::Word;

  unsigned thread_shift, block_shift, block_clock_shift;
  Word lane_field, warp_field, block_field, block_clock_field, warp_clock_field;

  Split() = default;
  HIRACE_FUNCTION constexpr explicit Split(Widths widths)
      : thread_shift(widths.warp_clock + widths.block_clock + widths.block),
        block_shift(widths.warp_clock + widths.block_clock),
        block_clock_shift(widths.warp_clock),
        lane_field(Word{warp_lanes - 1} << thread_shift),
        warp_field(field(thread_shift, widths.thread) & ~lane_field),
        block_field(field(block_shift, widths.block)),
        block_clock_field(field(block_clock_shift, widths.block_clock)),
        warp_clock_field(field(0, widths.warp_clock)) {}

  HIRACE_FUNCTION constexpr Word thread_field() const { return warp_field | lane_field; }
  HIRACE_FUNCTION constexpr Word thread_of(Word word) const { return (word & thread_field()) >> thread_shift; }
  HIRACE_FUNCTION constexpr Word block_of(Word word) const { return (word & block_field) >> block_shift; }

  // The fields that matter in a state.
  HIRACE_FUNCTION constexpr Word kept(unsigned state) const {
    const unsigned flags = state < state_count ? fsm_keep[state] : 0;
    return (flags & keep_lane ? lane_field : 0) | (flags & keep_warp ? warp_field : 0) | (flags & keep_block ? block_field : 0) |
           (flags & keep_block_clock ? block_clock_field : 0) | (flags & keep_warp_clock ? warp_clock_field : 0);
  }

  // The identity of a thread with clocks zero: a word without a state.
  HIRACE_FUNCTION constexpr Word identity(std::uint32_t epoch, std::uint64_t block, std::uint32_t thread) const {
    return (Word{epoch} << FormatOf::epoch_shift) | (Word{thread} << thread_shift) | (static_cast<Word>(block) << block_shift);
  }

 private:
  HIRACE_FUNCTION static constexpr Word field(unsigned shift, unsigned bits) { return ((Word{1} << bits) - 1) << shift; }
};

// A granule of which the order engine remembers more than a word can tell.
constexpr unsigned followed_state = 28;
// A granule some of whose bytes were accessed separately: the low bits are the number of its node
// in the byte pool, which has one word per byte.
constexpr unsigned split_state = 29;
// Memory that the program must not access: red zones and freed memory. Epoch 0, so that the path
// for stale words detects it.
constexpr unsigned poison_state = 31;
static_assert(static_cast<unsigned>(State::race) < followed_state, "special states lie above the specified ones");

enum class Poison : Word { red_zone = 1, freed = 2 };

constexpr Word poison_word(Poison why) { return (Word{poison_state} << state_shift) | static_cast<Word>(why); }

}  // namespace hirace
