// Barriers of whole blocks: what their threads know afterwards.
#pragma once

#include "patterns.h"

namespace hirace::cpu::order {

inline void meet_all(Threads::Block& all, std::uint32_t block) {
  Knowledge known;
  for (ThreadState& state : all.threads) {
    settle_told(state);
    join(known, state.known);
  }
  const Time now = known.learn_block(block);
  for (ThreadState& state : all.threads) {
    state.known = known;
    state.now = state.met = now;
    state.met_lanes = {};
  }
}

// What all threads of a block have done and know, with their asynchronous copies.
inline Knowledge all_of(Threads::Block& all, std::uint32_t block) {
  meet_all(all, block);
  Knowledge known = all.threads.front().known;
  for (ThreadState& copier : all.copiers) {
    if ((copier.now & of_copy) != 0) join(known, publish(copier));
  }
  return known;
}

// All blocks that run meet, and learn what others have done.
inline void meet_everywhere(Threads& threads, Knowledge others) {
  threads.each_block([&](std::uint32_t block) {
    meet_all(threads.block(block), block);
    join(others, threads.block(block).threads.front().known);
  });
  threads.each([&](ThreadState& state) { state.known = others; });
}

}  // namespace hirace::cpu::order
