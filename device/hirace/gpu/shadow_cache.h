// Pages of cached shadow (state.h): the host's side. Each serves several pages of the program,
// distinguished by their tags, so that shadow takes a sixteenth of the memory.
//
// On direct-mapped caches of shadow words: Kamath, George, Basu, "ScoRD: A Scoped Race Detector for
// GPUs", ISCA 2020.
#pragma once

#include <vector>

#include "cuda_call.h"
#include "state.h"

namespace hirace::gpu {

class ShadowCache {
 public:
  explicit ShadowCache(CopyStream& stream) : stream_(stream) {}

  // Makes room for `count` pages, with as little memory as possible.
  bool reserve(std::size_t count) {
    if (count <= available()) return true;
    const std::size_t pages = (count - available() + pages_sharing - 1) / pages_sharing;
    Word* words = device_memory<Word>(pages * page_shadow_words);
    if (words == nullptr) return false;
    for (std::size_t i = 0; i < pages; ++i) pages_.push_back(words + i * page_shadow_words);
    // Consecutive pages share as late as possible.
    for (PageEntry tag = 0; tag < pages_sharing; ++tag) {
      for (std::size_t i = 0; i < pages; ++i) free_.push_back(reinterpret_cast<PageEntry>(words + i * page_shadow_words) | tag);
    }
    return stream_.zero(words, page_shadow_words * sizeof(Word), page_granules * sizeof(Word), pages);
  }

  // Shadow for one page; there must be room for it.
  PageEntry take() { return free_[taken_++]; }
  void give_back(PageEntry entry) {
    if (taken_ > free_.size() / 2) {
      free_.erase(free_.begin(), free_.begin() + static_cast<std::ptrdiff_t>(taken_));
      taken_ = 0;
    }
    free_.push_back(entry);
  }

  const std::vector<Word*>& pages() const { return pages_; }

 private:
  std::size_t available() const { return free_.size() - taken_; }

  CopyStream& stream_;
  std::vector<Word*> pages_;
  // In the order in which they became free; the first of them have been taken.
  std::vector<PageEntry> free_;
  std::size_t taken_ = 0;
};

}  // namespace hirace::gpu
