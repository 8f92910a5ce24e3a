// How the word's low bits are split for one launch.
#pragma once

#include "../shadow.h"

namespace hirace::cpu {

// Where the fields of one launch lie, as masks in place.
struct Layout {
  Word block_field, block_clock_field, warp_clock_field;
  unsigned block_shift, block_clock_shift;
  // Per state, for global and for shared memory: the bits of a word, besides the
  // state, that tell it from others. Block slots take over shared memory from one
  // another, so a shared word always keeps its block.
  Word keep[2][32];
  // Per access and state: the bits that a word has to share with the running thread for
  // the access to leave it as it is. Where none does, the state itself, which no thread has.
  Word steady[access_count][32];

  // The layout for `blocks` blocks. Returns false where the widths asked for
  // cannot name every block: such a launch cannot be monitored.
  bool choose(std::uint64_t blocks, Widths asked) {
    unsigned block = asked.block;
    if (block == 0) {
      block = 1;
      while (block < 32 && (std::uint64_t{1} << block) < blocks) ++block;
    }
    unsigned warp_clock = asked.warp_clock;
    // Block barriers also reset the warp clock, so it needs fewer bits.
    if (warp_clock == 0) warp_clock = asked.block_clock != 0 ? split_bits - block - asked.block_clock : (split_bits - block) * 2 / 5;
    const unsigned block_clock = asked.block_clock != 0 ? asked.block_clock : split_bits - block - warp_clock;
    if (block + block_clock + warp_clock > split_bits || (std::uint64_t{1} << block) < blocks) return false;
    block_clock_shift = warp_clock;
    block_shift = warp_clock + block_clock;
    warp_clock_field = (Word{1} << warp_clock) - 1;
    block_clock_field = ((Word{1} << block_clock) - 1) << block_clock_shift;
    block_field = ((Word{1} << block) - 1) << block_shift;
    for (unsigned state = 0; state < 32; ++state) {
      const unsigned flags = state < state_count ? fsm_keep[state] : 0;
      const Word fields = (flags & keep_lane ? lane_field : 0) | (flags & keep_warp ? warp_field : 0) |
                          (flags & keep_block ? block_field : 0) | (flags & keep_block_clock ? block_clock_field : 0) |
                          (flags & keep_warp_clock ? warp_clock_field : 0);
      keep[0][state] = epoch_field | strong_flag | fields;
      keep[1][state] = keep[0][state] | block_field;
    }
    derive_steady();
    return true;
  }

  void derive_steady() {
    for (unsigned access = 0; access < access_count; ++access) {
      for (unsigned state = 0; state < 32; ++state) {
        const bool unchanged = (fsm_unchanged(static_cast<Access>(access)) >> state & 1) != 0;
        steady[access][state] = unchanged ? keep[0][state] : state_field | epoch_field;
      }
    }
  }

  // Who a thread is, at clocks zero: a word without a state.
  Word identity(std::uint32_t epoch, std::uint64_t block, std::uint32_t thread) const {
    return (Word{epoch} << epoch_shift) | (Word{thread} << thread_shift) | (Word{block} << block_shift);
  }
};

}  // namespace hirace::cpu
