// All parts of a program must be compiled for shadow words of one size: they share the words, and
// the linker keeps one copy of each inline function. Checked before main().
#pragma once

#include <cstdio>
#include <cstdlib>

#include "../../checker/shadow.h"

namespace hirace::cpu {

// 0 until the first part has set it.
inline unsigned agreed_word_bytes = 0;

inline bool agree_on_words(unsigned bytes) {
  if (agreed_word_bytes == 0) agreed_word_bytes = bytes;
  if (agreed_word_bytes == bytes) return true;
  std::fprintf(stderr,
               "hirace: parts of the program were compiled with shadow words of %u bytes and parts with words of %u "
               "(HIRACE_WORD_BYTES, `[shadow] word-bytes`): compile all parts with the same size\n",
               agreed_word_bytes, bytes);
  std::_Exit(2);
}

namespace {
[[maybe_unused]] const bool words_agree = agree_on_words(word_bytes);
}  // namespace

}  // namespace hirace::cpu
