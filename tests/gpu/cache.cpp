// Cached shadow: a word that was evicted for another page reads as never accessed, so there are no
// false races, and no other words are lost.
//
//! run HIRACE_SHADOW=cached 1 -> 0
//! run HIRACE_SHADOW=cached 2 -> 0
//! run HIRACE_SHADOW=cached 3 -> 0
#include <map>
#include <random>

#include "check.h"

namespace {

using hirace::Word;

// A word that stores its granule's address, and is lost when another granule takes its
// place.
struct Place {
  std::uintptr_t granule;
  Word word;
};

}  // namespace

int main(int, char** arguments) {
  constexpr std::size_t page = gpu::page_bytes, pages = 40, granules = 3;
  std::mt19937 random(static_cast<unsigned>(std::atoi(arguments[1])));
  const auto below = [&](unsigned limit) { return static_cast<unsigned>(random() % limit); };
  char* memory = nullptr;
  const std::size_t before = made_up::machine().free_bytes;
  EXPECT(gpu::cudaMalloc(&memory, 4) == cudaSuccess && gpu::cudaFree(memory) == cudaSuccess);
  EXPECT(gpu::cudaMalloc(&memory, pages * page) == cudaSuccess);
  EXPECT(made_up::machine().free_bytes > before / 2);

  std::map<Word*, Place> shadow;
  unsigned races = 0, forgotten = 0, kept = 0;
  for (int round = 0; round < 40; ++round) {
    shadow.clear();
    launch("random", 16, 1, [&] {
      for (int i = 0; i < 20; ++i) {
        const std::uintptr_t granule = reinterpret_cast<std::uintptr_t>(memory) + below(pages) * page + below(granules) * 4;
        gpu::Cell<gpu::GlobalLayout> cell;
        EXPECT(gpu::find_cell(granule, cell));
        Place& place = shadow.try_emplace(cell.word, Place{granule, 0}).first->second;
        forgotten += place.granule != granule;
        kept += place.granule == granule && place.word != 0;
        if (place.granule != granule) place = {granule, 0};

        const auto kind = static_cast<AccessKind>(below(5));
        const Word me = gpu::thread_identity<gpu::GlobalLayout>(0);
        const auto expected = gpu::next_word<gpu::GlobalLayout>(place.word, me, kind);
        place.word = expected.word;
        const auto occurrences = gpu::device_state->occurrences;
        gpu::check_any(granule, gpu::PackedAccess(kind, 4), 1);
        EXPECT((gpu::device_state->occurrences != occurrences) == expected.race);
        EXPECT(*cell.word == (expected.word | cell.tag));
        races += expected.race;
      }
    });
  }
  EXPECT(races > 100 && forgotten > 1000 && kept > 100);
  launch("last", 1, 1, [] {});
  EXPECT(header().outside == 0 && header().limits == hirace::shadow_cached);
  return 0;
}
