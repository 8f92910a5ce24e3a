// Replaces device/hirace/gpu/ptx.h for the emulated GPU. Its threads take turns, so plain accesses to
// memory are enough.
#pragma once

#include "../shadow.h"

namespace hirace::gpu {

using Counter = unsigned long long;

template <class T>
T load_word(const T* word) {
  return *word;
}
template <class T>
T load_cached_word(const T* word) {
  return *word;
}
template <class T, class Value>
void store_word(T* word, Value value) {
  *word = static_cast<T>(value);
}
template <class T>
T replace_word(T* word, T expected, T value) {
  const T seen = *word;
  if (seen == expected) *word = value;
  ++made_up::machine().replacements;
  return seen;
}

inline std::uint32_t load_block_word(const std::uint32_t* word) { return *word; }
inline void store_block_word(std::uint32_t* word, std::uint32_t value) { *word = value; }
inline std::uint32_t replace_block_word(std::uint32_t* word, std::uint32_t expected, std::uint32_t value) {
  return replace_word(word, expected, value);
}

inline Counter grid_number() { return made_up::machine().grid; }
inline std::uint32_t multiprocessor_number() { return 0; }
inline std::uint32_t block_shared_bytes() {
  return static_cast<std::uint32_t>(made_up::machine().static_shared + made_up::machine().dynamic_shared);
}
inline std::uint32_t dynamic_shared_bytes() { return static_cast<std::uint32_t>(made_up::machine().dynamic_shared); }

}  // namespace hirace::gpu
