// Pages of cached shadow (state.h): the host's side. Each serves several pages of the program,
// distinguished by their tags, so that shadow takes a sixteenth of the memory.
//
// On direct-mapped caches of shadow words: Kamath, George, Basu, "ScoRD: A Scoped Race Detector for
// GPUs", ISCA 2020.
#pragma once

#include <deque>
#include <vector>

#include "cuda_call.h"
#include "state.h"

namespace hirace::gpu {

class ShadowCache {
 public:
  explicit ShadowCache(CopyStream& stream) : stream_(stream) {}

  // Makes room for `count` pages, with as little memory as possible.
  bool reserve(std::size_t count) {
    if (count <= free_.size()) return true;
    const std::size_t pages = (count - free_.size() + pages_sharing - 1) / pages_sharing;
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
  PageEntry take() {
    const PageEntry entry = free_.front();
    free_.pop_front();
    return entry;
  }
  void give_back(PageEntry entry) { free_.push_back(entry); }

  const std::vector<Word*>& pages() const { return pages_; }

 private:
  CopyStream& stream_;
  std::vector<Word*> pages_;
  std::deque<PageEntry> free_;
};

}  // namespace hirace::gpu
