// Counts the checked accesses that leave their shadow words unchanged.
//
// `cargo xtask bench --words` includes this before the instrumented program, for runs on one OS
// thread: it compares the words before and after the executor's own check. With
// COUNT_WORDS_THAT_KEEP_ALL, words keep all fields in every state.
#pragma once

#include "hirace/generated/fsm_table.h"

#ifdef COUNT_WORDS_THAT_KEEP_ALL
namespace hirace {

struct AllFields {
  constexpr unsigned operator[](unsigned) const {
    return keep_lane | keep_warp | keep_block | keep_block_clock | keep_warp_clock;
  }
};
constexpr AllFields all_fields{};

}  // namespace hirace

// For executor/check/layout.h, which derives its masks from the table's.
#define fsm_keep all_fields
#endif

#include "hirace/executor/check/check.h"

#include <algorithm>
#include <cstdio>
#include <vector>

namespace hirace::cpu {

struct CountedWords {
  std::uint64_t accesses = 0, unchanged = 0;

  ~CountedWords() {
    std::printf("accesses: %llu\nunchanged: %llu\n", static_cast<unsigned long long>(accesses),
                static_cast<unsigned long long>(unchanged));
  }
};

inline CountedWords counted_words;

// Counts an access if its words, once `check` has checked it, are what they were.
template <class Check>
void count_access(const volatile void* pointer, std::size_t size, const Check& check) {
  const std::uintptr_t offset = reinterpret_cast<std::uintptr_t>(pointer) - monitor.window;
  if (offset / granule_bytes >= monitor.window_granules) return check();
  const Word* const first = monitor.words + offset / granule_bytes;
  const Word* const end = monitor.words + (offset + size + granule_bytes - 1) / granule_bytes;
  const std::vector<Word> before(first, end);
  check();
  ++counted_words.accesses;
  counted_words.unchanged += std::equal(first, end, before.begin());
}

inline void counted_check(AccessKind kind, const volatile void* pointer, std::size_t size, SiteId site, std::size_t align = 1) {
  count_access(pointer, size, [&] { check(kind, pointer, size, site, align); });
}
inline void counted_check_strong(AccessKind kind, const Strength& how, const volatile void* pointer, std::size_t size, SiteId site,
                                 std::size_t align, bool reads) {
  count_access(pointer, size, [&] { check_strong(kind, how, pointer, size, site, align, reads); });
}

}  // namespace hirace::cpu

// The hooks, which are included after this, call the checks by their names.
#define check counted_check
#define check_strong counted_check_strong
