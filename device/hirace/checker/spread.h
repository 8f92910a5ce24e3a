// How far a race spreads: the memory locations and the blocks where it was seen, as bit sets.
// Several members may share a bit, so a set's size is a lower bound. It is exact if the locations,
// or the blocks of the grid, span no more than the number of bits.
#pragma once

#include "../generated/wire.h"
#include "../hooks/backend.h"

namespace hirace {

// `Atomics` raises a number and sets bits while other threads do the same.
template <class Atomics, std::size_t words>
HIRACE_DEVICE_HOOK void note_member(std::uint32_t (&set)[words], std::uint64_t member) {
  Atomics::set(set[member / 32 % words], std::uint32_t{1} << member % 32);
}

template <class Atomics>
HIRACE_DEVICE_HOOK void note_place(Spread& spread, std::uint64_t address) {
  constexpr std::uint64_t place_bytes = 4;
  const std::uint64_t place = address / place_bytes;
  Atomics::raise(spread.min_place, ~place);
  Atomics::raise(spread.max_place, place);
  note_member<Atomics>(spread.places, place);
}

template <class Atomics>
HIRACE_DEVICE_HOOK void note_block(Spread& spread, std::uint64_t block) {
  Atomics::raise(spread.max_block, block);
  note_member<Atomics>(spread.blocks, block);
}

}  // namespace hirace
