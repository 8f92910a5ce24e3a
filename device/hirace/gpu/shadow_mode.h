// User settings for the location of shadow.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace hirace::gpu {

// How much memory shadow may take; HIRACE_SHADOW.
enum class ShadowMode {
  automatic,  // `auto`: all that it needs, or a cache if memory runs short
  full,       // `full`: all that it needs; memory without shadow is unchecked
  cached,     // `cached`: a sixteenth; races may be missed
};

inline ShadowMode shadow_mode() {
  const char* text = std::getenv("HIRACE_SHADOW");
  if (text == nullptr || std::strcmp(text, "auto") == 0) return ShadowMode::automatic;
  if (std::strcmp(text, "full") == 0) return ShadowMode::full;
  if (std::strcmp(text, "cached") == 0) return ShadowMode::cached;
  std::fprintf(stderr, "hirace: HIRACE_SHADOW is `%s`, not `auto`, `full` or `cached`\n", text);
  std::_Exit(2);
}

// The location of words of shared memory; HIRACE_SHARED_WORDS.
enum class SharedWordsMode {
  automatic,  // `auto`: next to the arrays if there is room
  slots,      // `slots`: in global memory
};

inline SharedWordsMode shared_words_mode() {
  const char* text = std::getenv("HIRACE_SHARED_WORDS");
  if (text == nullptr || std::strcmp(text, "auto") == 0) return SharedWordsMode::automatic;
  if (std::strcmp(text, "slots") == 0) return SharedWordsMode::slots;
  std::fprintf(stderr, "hirace: HIRACE_SHARED_WORDS is `%s`, not `auto` or `slots`\n", text);
  std::_Exit(2);
}

}  // namespace hirace::gpu
