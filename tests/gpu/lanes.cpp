// One step for several lanes of a warp leaves the word that their steps one after the other do,
// and races if one of those does: from every word that accesses and barriers of any threads leave.
//
//! run -> 0
#include <cstdint>

#include "check.h"

namespace {

using hirace::Word;

constexpr unsigned blocks = 2, warps = 2, lanes = 5, threads = blocks * warps * lanes;
constexpr AccessKind kinds[] = {AccessKind::read,         AccessKind::write,         AccessKind::update,        AccessKind::block_atomic,
                                AccessKind::device_atomic, AccessKind::volatile_read, AccessKind::volatile_write};

// The threads of a grid, with their clocks.
struct Grid {
  std::uint32_t clocks[threads] = {};

  Word identity(unsigned thread) const {
    const Word in_block = thread % (warps * lanes), block = thread / (warps * lanes);
    const Word number = in_block / lanes * hirace::warp_lanes + in_block % lanes;
    return Word{1} << hirace::epoch_shift | (number & gpu::thread_mask) << gpu::Layout::thread_shift |
           block << gpu::Layout::block_shift |
           clocks[thread];
  }

  // A barrier of the warp or the block that a thread belongs to.
  void wait(unsigned thread, bool whole_block) {
    const unsigned size = whole_block ? warps * lanes : lanes, begin = thread / size * size;
    for (unsigned i = begin; i < begin + size; ++i) {
      clocks[i] = whole_block ? (clocks[i] & gpu::block_clock_mask) + (1u << gpu::Layout::block_clock_shift) : clocks[i] + 1;
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
void compare(const Grid& grid, Word old, unsigned begin, bool shared) {
  for (const AccessKind kind : kinds) {
    if (!gpu::may_step_together(kind)) continue;
    for (unsigned set = 1; set < 1u << lanes; ++set) {
      if ((set & (set - 1)) == 0) continue;
      Word word = old;
      bool race = false;
      for (unsigned lane = 0; lane < lanes; ++lane) {
        if ((set >> lane & 1) == 0) continue;
        const gpu::NextWord next = gpu::next_word(word, grid.identity(begin + lane), kind, shared);
        word = next.word;
        race |= next.race;
      }
      const unsigned first = __builtin_ctz(set), second = __builtin_ctz(set & (set - 1));
      const Word me = grid.identity(begin + first), other = gpu::identity_of_lane(me, second);
      EXPECT(other == grid.identity(begin + second));
      const gpu::NextWord together = gpu::next_word_of_lanes(old, me, other, kind, shared);
      EXPECT(together.race == race && (race || together.word == word));
      ++compared;
      raced += race;
      changed += !race && word != old;
    }
  }
}

}  // namespace

int main() {
  bool seen[32] = {};
  for (unsigned trace = 0; trace < 4000; ++trace) {
    Grid grid;
    const bool shared = trace % 2 != 0;
    // Blocks do not meet in shared memory.
    const unsigned known = shared ? warps * lanes : threads;
    Word word = 0;
    for (unsigned event = 0; event < 12; ++event) {
      const unsigned thread = random(known);
      const unsigned what = random(5);
      if (what < 2) {
        grid.wait(thread, what != 0);
      } else {
        word = gpu::next_word(word, grid.identity(thread), kinds[random(std::size(kinds))], shared).word;
      }
      seen[hirace::state_of(word)] = true;
      for (unsigned begin = 0; begin < known; begin += lanes) compare(grid, word, begin, shared);
    }
  }
  unsigned states = 0;
  for (const bool it : seen) states += it;
  std::printf("%u compared, %u raced, %u changed, %u states\n", compared, raced, changed, states);
  EXPECT(states == 24 && raced > compared / 20 && changed > compared / 20);
  return 0;
}
