// How far a race spreads: the places in memory and the blocks that it was seen in, as sets of
// bits. Members may fall on the same bit, so that a set's size is a least number, but for
// places that lie no further apart than there are bits, and grids with no more blocks.
#pragma once

#include "../generated/wire.h"
#include "../hooks/backend.h"

namespace hirace {

// `Atomics` raises a number and sets bits while others do so.
template <class Atomics, std::size_t words>
HIRACE_DEVICE_HOOK void note_member(std::uint32_t (&set)[words], std::uint64_t member) {
  Atomics::set(set[member / 32 % words], std::uint32_t{1} << member % 32);
}

template <class Atomics>
HIRACE_DEVICE_HOOK void note_place(Spread& spread, std::uint64_t address) {
  constexpr std::uint64_t place_bytes = 4;
  const std::uint64_t place = address / place_bytes;
  Atomics::raise(spread.least_place, ~place);
  Atomics::raise(spread.most_place, place);
  note_member<Atomics>(spread.places, place);
}

template <class Atomics>
HIRACE_DEVICE_HOOK void note_block(Spread& spread, std::uint64_t block) {
  Atomics::raise(spread.most_block, block);
  note_member<Atomics>(spread.blocks, block);
}

}  // namespace hirace
