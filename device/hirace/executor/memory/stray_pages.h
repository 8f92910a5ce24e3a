// Pages of device memory that belong to no allocation and have memory all the same, because a kernel has
// accessed them: the fault is recorded, and the run continues.
#pragma once

#include <mutex>
#include <unordered_set>

#include "arena.h"

namespace hirace::cpu {

class StrayPages {
 public:
  // Gives the page of an address memory, if it has none. False if there are too many such pages.
  bool give_memory(std::uintptr_t address) {
    const std::lock_guard lock(mutex_);
    const std::uintptr_t page = address / page_bytes * page_bytes;
    if (pages_.count(page) != 0) return true;
    if (pages_.size() == max_pages || !Arena::commit(page, page + page_bytes)) return false;
    pages_.insert(page);
    return true;
  }

  // Memory has been taken away.
  void forget(std::uintptr_t begin, std::uintptr_t end) {
    const std::lock_guard lock(mutex_);
    if (pages_.empty()) return;
    for (std::uintptr_t page = begin; page < end; page += page_bytes) pages_.erase(page);
  }

 private:
  static constexpr std::size_t max_pages = 16384;

  std::mutex mutex_;
  std::unordered_set<std::uintptr_t> pages_;
};

inline StrayPages& stray_pages() {
  static StrayPages* const pages = new StrayPages;
  return *pages;
}

}  // namespace hirace::cpu
