// The shadow word: what the checker remembers of the last access to a granule.
//
// A granule is four bytes of device memory. Its word (HiRace, SC24, section IV):
//
//   63    59 58       51   50    49 .. 40 39 ............................ 0
//   | state | epoch 8  | strong | thread  | block | block clock | warp clock |
//   |   5   |          |   1    |   10    |     40 bits, split per launch    |
//
//   state        one of the 25 states of generated/fsm_table.h, or one of the two
//                special states below
//   epoch        the launch that wrote the word, modulo 255, never 0. A word of
//                another epoch reads as INIT, so a launch clears nothing. Zero
//                memory is a word of no epoch.
//   strong       all accesses recorded so far are volatile reads (see access.h)
//   thread       linear thread number in the block; warp and lane are its parts
//   block        linear block number in the grid
//   block clock  block barriers that the recorded thread had passed
//   warp clock   warp barriers since its last block barrier
//
// The split of the low 40 bits is chosen at each launch from the grid's size, so
// that clocks get every bit the grid does not need; the configuration can fix it.
// Fields that can no longer influence a transition are stored as zero: masks
// derived from the specification (fsm_keep) say which, per state.
#pragma once

#include "backend.h"
#include "generated/fsm_table.h"

namespace hirace {

// Only functions of this header look inside a word.
using Word = std::uint64_t;

constexpr unsigned granule_bytes = 4;
// Lanes of a warp. The CPU executor can be compiled with fewer, so that small blocks have
// several warps: what orders a warp and has to order a block then shows.
#ifndef HIRACE_WARP_SIZE
#define HIRACE_WARP_SIZE 32
#endif
constexpr unsigned warp_lanes = HIRACE_WARP_SIZE;
static_assert(warp_lanes >= 1 && warp_lanes <= 32 && (warp_lanes & (warp_lanes - 1)) == 0, "HIRACE_WARP_SIZE is 1, 2, 4, 8, 16 or 32");
constexpr std::uint32_t all_lanes = ~std::uint32_t{0} >> (32 - warp_lanes);
constexpr unsigned max_block_threads = 1024;

constexpr unsigned state_shift = 59;
constexpr unsigned epoch_shift = 51;
constexpr unsigned epoch_bits = 8;
constexpr unsigned strong_shift = 50;
constexpr unsigned thread_shift = 40;
constexpr unsigned thread_bits = 10;
constexpr unsigned split_bits = 40;
constexpr std::uint32_t max_epoch = (1u << epoch_bits) - 1;

constexpr Word state_field = Word{31} << state_shift;
constexpr Word epoch_field = Word{max_epoch} << epoch_shift;
constexpr Word strong_flag = Word{1} << strong_shift;
constexpr Word thread_field = Word{(1u << thread_bits) - 1} << thread_shift;
constexpr Word lane_field = Word{warp_lanes - 1} << thread_shift;
constexpr Word warp_field = thread_field & ~lane_field;

static_assert((state_field | epoch_field | strong_flag | thread_field | ((Word{1} << split_bits) - 1)) == ~Word{0},
              "the fields fill the word");
static_assert((1u << thread_bits) == max_block_threads, "every thread of a block has a number");

// A granule some of whose bytes were accessed on their own: the low bits number
// its node in the byte pool, which has one word for each byte.
constexpr unsigned split_state = 29;
// Memory that is not the program's: red zones and freed memory. Epoch 0, so that
// it is found on the path that every stale word takes.
constexpr unsigned poison_state = 31;
static_assert(static_cast<unsigned>(State::race) < split_state, "special states lie above the specified ones");

enum class Poison : Word { red_zone = 1, freed = 2 };

constexpr Word poison_word(Poison why) { return (Word{poison_state} << state_shift) | static_cast<Word>(why); }

HIRACE_FUNCTION constexpr unsigned state_of(Word word) { return static_cast<unsigned>(word >> state_shift); }

// Widths of the three fields in the low 40 bits; 0 for "as the grid needs".
struct Widths {
  unsigned block, block_clock, warp_clock;
};

}  // namespace hirace
