// Shadow at addresses computed from those of its memory: the host's side.
//
//   program    ...........[ a ][ b ]....[   c   ]...............
//                         low                   high
//   words      |..........[ a ][ b ][//][   c   ]..............|  reserved
//   sites      |..........[ a ][ b ]....[   c   ]..............|  reserved
//
// The first memory that needs shadow determines the position of the window: CUDA takes its
// allocations from few places, each with much room around it. Kernels look for words only from
// `low` to `high`, where every page has some: one page of absent words, which no kernel may write,
// serves all pages without known program memory (//). So memory allocated there by a library is not
// mistaken for memory with shadow, and no lookup faults.
#pragma once

#include <algorithm>
#include <map>
#include <vector>

#include "driver.h"
#include "state.h"

namespace hirace::gpu {

// Words of consecutive pages in memory, and their distance.
struct PageWords {
  Word* words;  // null: there are none
  std::size_t pitch;
};

class ShadowWindow {
 public:
  explicit ShadowWindow(CopyStream& stream) : stream_(stream) {}
  ~ShadowWindow() { close(); }
  ShadowWindow(const ShadowWindow&) = delete;
  ShadowWindow& operator=(const ShadowWindow&) = delete;

  // If this fails, there is no window and no page in it.
  void open(int device) { usable_ = memory_.open(device, words_bytes) && make_absent(); }

  // The data about the window that kernels need.
  WindowView view() const {
    if (!usable_ || low_ == high_) return {};
    return {low_ * page_bytes, (high_ - low_) * page_bytes, pointer(words_at(low_)),
            reinterpret_cast<SiteWord*>(sites_at(low_))};
  }

  // Releases everything. The device must be idle.
  void close() {
    for (std::size_t page = low_; page < high_;) {
      const auto run = runs_.find(page);
      const std::size_t count = run != runs_.end() ? run->second : 1;
      run != runs_.end() ? take(page, count) : empty(page, count);
      page += count;
    }
    if (reserved_ != 0) memory_.free(base_, reserved_ * (words_bytes + sites_bytes));
    if (has_absent_) memory_.release(absent_);
    usable_ = has_absent_ = false;
    reserved_ = low_ = high_ = 0;
    runs_.clear();
  }

  // How many of these pages are in the window before the first one outside, or the reverse.
  std::size_t alike(std::size_t first, std::size_t count, bool& inside) {
    if (usable_ && reserved_ == 0) place(first);
    inside = usable_ && first >= begin_ && first < begin_ + reserved_;
    if (inside) return std::min(count, begin_ + reserved_ - first);
    return usable_ && first < begin_ ? std::min(count, begin_ - first) : count;
  }

  // Shadow for pages of the window that have none.
  PageWords map(std::size_t first, std::size_t count) {
    VirtualMemory::Handle words, sites;
    if (!memory_.create(count * words_bytes, words)) return {};
    bool mapped = sites_bytes == 0 || memory_.create(count * sites_bytes, sites);
    if (mapped) {
      mapped = put(first, count, words, sites);
      if (sites_bytes != 0) memory_.release(sites);
    }
    memory_.release(words);
    if (!mapped) return {};
    runs_[first] = count;
    return {pointer(words_at(first)), page_granules};
  }

  // Removes the mapping of one call. The device must be idle.
  void unmap(std::size_t first, std::size_t count) {
    runs_.erase(first);
    take(first, count);
    usable_ = fill(first, count) && usable_;
  }

 private:
  // The unit of mapping: the words, and the site words, of one page.
  static constexpr std::size_t words_bytes = page_granules * sizeof(Word);
  static constexpr std::size_t sites_bytes = page_shadow_words * sizeof(Word) - words_bytes;
  static_assert(sites_bytes % words_bytes == 0, "what can hold the words of pages can hold their site words");
  // Pages of address space: 512 GiB, or down to 32 GiB if that is not available.
  static constexpr std::size_t max_pages = std::size_t{1} << (39 - page_shift);
  static constexpr std::size_t min_pages = std::size_t{1} << (35 - page_shift);

  CUdeviceptr words_at(std::size_t page) const { return base_ + (page - begin_) * words_bytes; }
  CUdeviceptr sites_at(std::size_t page) const { return base_ + reserved_ * words_bytes + (page - begin_) * sites_bytes; }
  static Word* pointer(CUdeviceptr address) { return reinterpret_cast<Word*>(address); }

  // Memory of absent words, written once, at an address of its own.
  bool make_absent() {
    if (!memory_.create(words_bytes, absent_)) return false;
    const CUdeviceptr address = memory_.reserve(words_bytes);
    bool made = false;
    if (address != 0 && memory_.map(address, words_bytes, absent_)) {
      const std::vector<Word> words(page_granules, absent_word);
      made = memory_.allow(address, words_bytes, CU_MEM_ACCESS_FLAGS_PROT_READWRITE) &&
             stream_.to_device(pointer(address), words.data(), words_bytes);
      memory_.unmap(address, words_bytes);
    }
    if (address != 0) memory_.free(address, words_bytes);
    has_absent_ = true;
    return made;
  }

  // Positions the window around a page.
  void place(std::size_t page) {
    for (std::size_t pages = max_pages; pages >= min_pages; pages /= 2) {
      base_ = memory_.reserve(pages * (words_bytes + sites_bytes));
      if (base_ == 0) continue;
      reserved_ = pages;
      begin_ = page - std::min(page, pages / 2);
      low_ = high_ = page;
      return;
    }
    usable_ = false;
  }

  // Maps absent words. All or nothing.
  bool fill(std::size_t first, std::size_t count) {
    std::size_t done = 0;
    while (done < count && memory_.map(words_at(first + done), words_bytes, absent_)) ++done;
    if (count == 0 || (done == count && memory_.allow(words_at(first), count * words_bytes, CU_MEM_ACCESS_FLAGS_PROT_READ))) {
      return true;
    }
    empty(first, done);
    return false;
  }

  void empty(std::size_t first, std::size_t count) {
    for (std::size_t page = first; page < first + count; ++page) memory_.unmap(words_at(page), words_bytes);
  }

  bool put(std::size_t first, std::size_t count, VirtualMemory::Handle words, VirtualMemory::Handle sites) {
    const std::size_t end = first + count;
    if (first > high_) {
      if (!fill(high_, first - high_)) return false;
      high_ = first;
    }
    if (end < low_) {
      if (!fill(end, low_ - end)) return false;
      low_ = end;
    }
    const std::size_t absent = std::max(first, low_), absent_end = std::max(absent, std::min(end, high_));
    if (absent != absent_end) {
      // A kernel may be reading them.
      if (quietly([] { return ::cudaDeviceSynchronize(); }) != cudaSuccess) return false;
      empty(absent, absent_end - absent);
    }
    if (!put_at(words_at(first), count * words_bytes, words)) return forgo(absent, absent_end);
    if (sites_bytes != 0 && !put_at(sites_at(first), count * sites_bytes, sites)) {
      memory_.unmap(words_at(first), count * words_bytes);
      return forgo(absent, absent_end);
    }
    low_ = std::min(low_, first);
    high_ = std::max(high_, end);
    return true;
  }

  bool put_at(CUdeviceptr address, std::size_t bytes, VirtualMemory::Handle handle) {
    if (!memory_.map(address, bytes, handle)) return false;
    if (memory_.allow(address, bytes, CU_MEM_ACCESS_FLAGS_PROT_READWRITE)) return true;
    memory_.unmap(address, bytes);
    return false;
  }

  // Pages whose words were released for a mapping that failed: they become absent again; if that
  // fails too, kernels must no longer use the window.
  bool forgo(std::size_t first, std::size_t end) {
    usable_ = fill(first, end - first) && usable_;
    return false;
  }

  void take(std::size_t first, std::size_t count) {
    memory_.unmap(words_at(first), count * words_bytes);
    if (sites_bytes != 0) memory_.unmap(sites_at(first), count * sites_bytes);
  }

  CopyStream& stream_;
  VirtualMemory memory_;
  bool usable_ = false;
  bool has_absent_ = false;
  VirtualMemory::Handle absent_{};  // one page's words
  CUdeviceptr base_ = 0;  // of the reserved range
  std::size_t begin_ = 0, reserved_ = 0;  // the pages that it covers
  std::size_t low_ = 0, high_ = 0;
  std::map<std::size_t, std::size_t> runs_;  // pages with words of their own, by the first
};

}  // namespace hirace::gpu
