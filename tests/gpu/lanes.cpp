// One step for several lanes of a warp leaves the same word as their separate steps, and races if
// one of those does, for every word that accesses and barriers of any threads can leave.
//
//! run -> 0
#include <cstdint>

#include "check.h"

namespace {

using hirace::Word;
using gpu::GlobalLayout, gpu::SharedLayout;

constexpr unsigned blocks = 2, warps = 2, lanes = 5, threads = blocks * warps * lanes;
constexpr AccessKind kinds[] = {AccessKind::read,         AccessKind::write,         AccessKind::update,        AccessKind::block_atomic,
                                AccessKind::device_atomic, AccessKind::volatile_read, AccessKind::volatile_write};

// The threads of a grid, with their clocks.
struct Grid {
  std::uint32_t clocks[threads] = {};

  template <class Layout>
  typename Layout::Word identity(unsigned thread) const {
    const unsigned in_block = thread % (warps * lanes);
    const typename Layout::Word number = in_block / lanes * hirace::warp_lanes + in_block % lanes;
    const auto passed = clocks[thread] & (Layout::block_clock_field | Layout::warp_clock_field);
    const auto who = (number & gpu::thread_mask) << Layout::thread_shift | passed;
    if constexpr (Layout::of_block) {
      return who;
    } else {
      const Word block = thread / (warps * lanes);
      return Word{1} << hirace::epoch_shift | block << Layout::block_shift | who;
    }
  }

  // A barrier of the warp or the block that a thread belongs to.
  void wait(unsigned thread, bool whole_block) {
    const unsigned size = whole_block ? warps * lanes : lanes, begin = thread / size * size;
    for (unsigned i = begin; i < begin + size; ++i) {
      clocks[i] = whole_block ? (clocks[i] & gpu::block_clock_mask) + (1u << GlobalLayout::block_clock_shift) : clocks[i] + 1;
    }
  }
};

std::uint64_t state = 0x9e3779b97f4a7c15u;  // xorshift64, so that every run is the same

unsigned random(unsigned below) {
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return static_cast<unsigned>((state >> 11) % below);
}

unsigned compared = 0, raced = 0, changed = 0;

// All accesses of one kind by two lanes or more of the warp that begins with a thread.
template <class Layout>
void compare(const Grid& grid, typename Layout::Word old, unsigned begin) {
  for (const AccessKind kind : kinds) {
    if (!gpu::may_step_together(kind)) continue;
    for (unsigned set = 1; set < 1u << lanes; ++set) {
      if ((set & (set - 1)) == 0) continue;
      auto word = old;
      bool race = false;
      for (unsigned lane = 0; lane < lanes; ++lane) {
        if ((set >> lane & 1) == 0) continue;
        const auto next = gpu::next_word<Layout>(word, grid.identity<Layout>(begin + lane), kind);
        word = next.word;
        race |= next.race;
      }
      const unsigned first = __builtin_ctz(set), second = __builtin_ctz(set & (set - 1));
      const auto me = grid.identity<Layout>(begin + first), other = gpu::identity_of_lane<Layout>(me, second);
      EXPECT(other == grid.identity<Layout>(begin + second));
      const auto together = gpu::next_word_of_lanes<Layout>(old, me, other, 2, kind);
      EXPECT(together.race == race && (race || together.word == word));
      ++compared;
      raced += race;
      changed += !race && word != old;
    }
  }
}

bool seen[32] = {};

// Accesses and barriers of the first threads of a grid, at random.
template <class Layout>
void trace(unsigned known) {
  Grid grid;
  typename Layout::Word word = 0;
  for (unsigned event = 0; event < 12; ++event) {
    const unsigned thread = random(known);
    const unsigned what = random(5);
    if (what < 2) {
      grid.wait(thread, what != 0);
    } else {
      word = gpu::next_word<Layout>(word, grid.identity<Layout>(thread), kinds[random(std::size(kinds))]).word;
    }
    seen[Layout::state_of(word)] = true;
    for (unsigned begin = 0; begin < known; begin += lanes) compare<Layout>(grid, word, begin);
  }
}

}  // namespace

int main() {
  for (unsigned i = 0; i < 2000; ++i) {
    trace<GlobalLayout>(threads);
    // Blocks do not share shared memory.
    trace<SharedLayout>(warps * lanes);
  }
  unsigned states = 0;
  for (const bool it : seen) states += it;
  std::printf("%u compared, %u raced, %u changed, %u states\n", compared, raced, changed, states);
  EXPECT(states == 24 && raced > compared / 20 && changed > compared / 20);
  return 0;
}
