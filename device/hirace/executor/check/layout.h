// The split of the word's remaining bits for one launch.
#pragma once

#include "../../checker/shadow.h"
#include "../order/rules.h"

namespace hirace::cpu {

struct Layout : Split<Format> {
  // Per state, for global and for shared memory: the fields, besides the state, that a word keeps.
  // Block slots reuse shared memory, so a shared word always keeps its block.
  Word keep[2][32];
  // Per access and state: the bits in which the word must equal the running thread for the access to leave it
  // unchanged. If the access always changes the word: the state field, which matches no thread.
  Word steady[access_count][32];
  // For global and for shared memory: the bits in which a word differs from the running thread if nothing that it
  // remembers can race any more. In shared memory, these are the accesses of another block, and those before a barrier
  // that the block has passed since: all threads that can access the variable have passed it.
  Word covered[2];

  // The layout for `blocks` blocks of `threads` threads. Returns false if the word, or the
  // configured widths, cannot number them all: such a launch cannot be monitored.
  bool choose(std::uint32_t threads, std::uint64_t blocks, Widths asked) {
    Widths widths = asked;
    // The 8-byte word has room for the largest block.
    if (asked.thread == 0) widths.thread = word_bytes == 8 ? max_thread_bits : bits_for(threads, min_thread_bits);
    if (asked.block == 0) widths.block = bits_for(blocks, 1);
    const unsigned taken = widths.thread + widths.block;
    if (taken + 2 > split_bits || bits_for(threads, 1) > widths.thread || bits_for(blocks, 1) > widths.block) return false;
    // Block barriers also reset the warp clock, so it needs fewer bits.
    const unsigned clocks = split_bits - taken;
    if (asked.warp_clock == 0) {
      const unsigned left = asked.block_clock == 0 ? clocks * 2 / 5 : clocks - least(asked.block_clock, clocks);
      widths.warp_clock = left > 1 ? left : 1;
    }
    if (asked.block_clock == 0) widths.block_clock = clocks - least(widths.warp_clock, clocks);
    if (widths.block_clock == 0 || widths.block_clock + widths.warp_clock > clocks) return false;
    static_cast<Split&>(*this) = Split(widths);
    for (unsigned state = 0; state < 32; ++state) {
      keep[0][state] = epoch_field | strong_flag | kept(state);
      keep[1][state] = keep[0][state] | block_field;
    }
    covered[0] = epoch_field;
    covered[1] = epoch_field | block_field | block_clock_field;
    derive_steady();
    return true;
  }

  // The same for the order engine: a word has the thread and the time of the last access instead, and
  // says whether it was a read or a write (ordered_granule.h). Called if choose() has succeeded.
  void choose_for_order(std::uint32_t threads, std::uint64_t blocks) {
    const unsigned thread = bits_for(threads, min_thread_bits), block = bits_for(blocks, 1);
    static_cast<Split&>(*this) = Split({thread, block, split_bits - thread - block - 1, 1});
    const Word all = epoch_field | strong_flag | thread_field() | block_field | time_field();
    for (unsigned state = 0; state < 32; ++state) keep[0][state] = keep[1][state] = all;
    covered[1] = epoch_field | block_field;
    for (auto& states : steady) {
      for (Word& state : states) state = state_field | epoch_field;
    }
    const auto read = static_cast<unsigned>(State::read), write = static_cast<unsigned>(State::write);
    const Word same = order::holds(order::Rule::repeated_access_is_of_one_time) ? all : all & ~time_field();
    steady[static_cast<unsigned>(Access::read)][read] = steady[static_cast<unsigned>(Access::read)][write] = same;
    steady[static_cast<unsigned>(Access::write)][write] = same;
  }

  Word time_field() const { return block_clock_field | warp_clock_field; }

  void derive_steady() {
    for (unsigned access = 0; access < access_count; ++access) {
      for (unsigned state = 0; state < 32; ++state) {
        const bool unchanged = (fsm_unchanged(static_cast<Access>(access)) >> state & 1) != 0;
        steady[access][state] = unchanged ? keep[0][state] : state_field | epoch_field;
      }
    }
  }

 private:
  static constexpr unsigned least(unsigned a, unsigned b) { return a < b ? a : b; }

  static unsigned bits_for(std::uint64_t count, unsigned fewest) {
    unsigned bits = fewest;
    while (bits < 32 && (std::uint64_t{1} << bits) < count) ++bits;
    return bits;
  }
};

}  // namespace hirace::cpu
