// Shadow found through a page table (state.h): the host's side. It serves memory outside the window
// (shadow_window.h), or all memory if there is no window.
#pragma once

#include <algorithm>
#include <map>
#include <vector>

#include "shadow_window.h"

namespace hirace::gpu {

class ShadowTable {
 public:
  explicit ShadowTable(CopyStream& stream) : stream_(stream) {}

  // Creates a table without entries, for `host` to be copied to `state`.
  bool make(DeviceState* state, DeviceState& host) {
    state_ = state;
    absent_ = device_memory<Word>(page_granules);
    Directory* empty = device_memory<Directory>(1);
    if (absent_ == nullptr || empty == nullptr) return false;
    for (Directory*& directory : host.directories) directory = empty;
    const std::vector<Word> words(page_granules, absent_word);
    const std::vector<PageEntry> entries(directory_pages, entry_of(absent_));
    return stream_.to_device(absent_, words.data(), page_granules * sizeof(Word)) &&
           stream_.to_device(empty, entries.data(), sizeof(Directory));
  }

  // Gives pages without shadow their own memory.
  PageWords map(std::size_t first, std::size_t count) {
    Word* memory = device_memory<Word>(count * page_shadow_words);
    if (memory == nullptr) return {};
    if (lead(first, count, [&](std::size_t i) { return entry_of(memory + i * page_shadow_words); })) {
      return {memory, page_shadow_words};
    }
    unmap(first, count, memory);
    return {};
  }

  // Removes the mapping of one call. The device must be idle.
  void unmap(std::size_t first, std::size_t count, Word* memory) {
    // If the table cannot be written, its entries must not lead to freed memory.
    if (lead_nowhere(first, count)) quietly([&] { return ::cudaFree(memory); });
  }

  // Sets the entries of pages to `entry_for(i)`, by their number in the row.
  template <class EntryFor>
  bool lead(std::size_t first, std::size_t count, const EntryFor& entry_for) {
    if (!make_directories(first, count)) return false;
    for (std::size_t i = 0; i < count; ++i) entry(first + i) = entry_for(i);
    return write_entries(first, count);
  }
  bool lead_nowhere(std::size_t first, std::size_t count) {
    return lead(first, count, [this](std::size_t) { return entry_of(absent_); });
  }

 private:
  struct DirectoryCopy {
    Directory* device = nullptr;
    std::vector<PageEntry> entries;
  };

  static PageEntry entry_of(Word* words) { return reinterpret_cast<PageEntry>(words); }
  PageEntry& entry(std::size_t page) { return directories_[page / directory_pages].entries[page % directory_pages]; }

  bool make_directories(std::size_t first, std::size_t count) {
    for (std::size_t number = first / directory_pages; number <= (first + count - 1) / directory_pages; ++number) {
      if (number >= directory_count - 1) return false;
      DirectoryCopy& directory = directories_[number];
      if (directory.device != nullptr) continue;
      Directory* device = device_memory<Directory>(1);
      directory.entries.assign(directory_pages, entry_of(absent_));
      if (device == nullptr || !stream_.to_device(device, directory.entries.data(), sizeof(Directory))) return false;
      directory.device = device;
      if (!stream_.to_device(&state_->directories[number], &device, sizeof device)) return false;
    }
    return true;
  }

  bool write_entries(std::size_t first, std::size_t count) {
    for (std::size_t page = first; page < first + count;) {
      DirectoryCopy& directory = directories_[page / directory_pages];
      const std::size_t begin = page % directory_pages;
      const std::size_t here = std::min(first + count - page, directory_pages - begin);
      if (!stream_.to_device(&directory.device->pages[begin], &directory.entries[begin], here * sizeof(PageEntry))) return false;
      page += here;
    }
    return true;
  }

  CopyStream& stream_;
  DeviceState* state_ = nullptr;
  Word* absent_ = nullptr;  // the entry for pages without shadow
  std::map<std::size_t, DirectoryCopy> directories_;
};

}  // namespace hirace::gpu
