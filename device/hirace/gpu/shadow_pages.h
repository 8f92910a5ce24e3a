// Which pages of device memory have shadow: the host's side of the page table.
//
// Shadow comes with the first allocation that touches a page and stays when the
// last one is freed, because its words lose their meaning with the next launch
// anyhow, and the next allocation is likely to lie there again. It is given back
// when memory runs short.
#pragma once

#include <algorithm>
#include <map>
#include <memory>
#include <unordered_map>
#include <vector>

#include "cuda_call.h"
#include "state.h"

namespace hirace::gpu {

class ShadowPages {
 public:
  ShadowPages(DeviceState* state, CopyStream& stream, Word* no_shadow)
      : state_(state), stream_(stream), no_shadow_(no_shadow) {}

  // Gives shadow to an allocation. False where a part of it stays without.
  bool map(std::uintptr_t address, std::size_t bytes) {
    if (address == 0 || bytes == 0) return true;
    unmap(address);
    allocations_[address] = bytes;
    const std::size_t end = (address + bytes - 1) / page_bytes + 1;
    for (std::size_t page = address / page_bytes; page < end;) {
      const auto known = pages_.find(page);
      if (known != pages_.end()) {
        if (known->second.allocations++ == 0) ++known->second.extent->live_pages;
        ++page;
        continue;
      }
      std::size_t count = 1;
      while (page + count < end && count < largest_extent && pages_.count(page + count) == 0) ++count;
      if (!add_extent(page, count)) {
        allocations_[address] = page * page_bytes > address ? page * page_bytes - address : 0;
        return false;
      }
      page += count;
    }
    return true;
  }

  void unmap(std::uintptr_t address) {
    const auto allocation = allocations_.find(address);
    if (allocation == allocations_.end()) return;
    const std::size_t end = (address + allocation->second + page_bytes - 1) / page_bytes;
    for (std::size_t page = address / page_bytes; allocation->second != 0 && page < end; ++page) {
      const auto known = pages_.find(page);
      if (known == pages_.end() || known->second.allocations == 0) continue;
      if (--known->second.allocations == 0) --known->second.extent->live_pages;
    }
    allocations_.erase(allocation);
  }

  // Gives back the shadow of memory that is no longer allocated. The device must
  // be idle. Returns whether there was any.
  bool reclaim() {
    bool any = false;
    for (auto extent = extents_.begin(); extent != extents_.end();) {
      if ((*extent)->live_pages != 0) {
        ++extent;
        continue;
      }
      const std::size_t first = (*extent)->first_page, count = (*extent)->pages;
      for (std::size_t page = first; page < first + count; ++page) {
        pages_.erase(page);
        entry(page) = no_shadow_;
      }
      any = write_entries(first, count) || any;
      quietly([&] { return ::cudaFree((*extent)->memory); });
      extent = extents_.erase(extent);
      changed_ = true;
    }
    return any;
  }

  // Makes every word read as that of no epoch.
  bool clear() {
    for (const auto& extent : extents_) {
      if (!zero(*extent)) return false;
    }
    return true;
  }

  // Copies the list of all pages to the device where it has changed. The device
  // must be idle.
  bool write_list(Word**& list, std::uint32_t& count) {
    if (!changed_) return true;
    if (next_list_ != nullptr) {
      quietly([this] { return ::cudaFree(list_); });
      list_ = next_list_;
      next_list_ = nullptr;
    }
    std::vector<Word*> pages;
    for (const auto& extent : extents_) {
      for (std::size_t i = 0; i < extent->pages; ++i) pages.push_back(extent->memory + i * page_shadow_words);
    }
    if (!pages.empty() && !stream_.to_device(list_, pages.data(), pages.size() * sizeof(Word*))) return false;
    list = list_;
    count = static_cast<std::uint32_t>(pages.size());
    changed_ = false;
    return true;
  }

 private:
  // Shadow that was allocated, and is given back, as a whole.
  struct Extent {
    Word* memory;
    std::size_t first_page, pages;
    std::size_t live_pages;
  };
  struct Page {
    Extent* extent;
    std::size_t allocations;  // that touch it
  };
  struct DirectoryCopy {
    Directory* device = nullptr;
    std::vector<Word*> entries;
  };

  static constexpr std::size_t largest_extent = 64;

  // Shadow for `count` pages, in pieces where there is not enough in one.
  bool add_extent(std::size_t first, std::size_t count) {
    if (!make_directories(first, count) || !make_list(pages_.size() + count)) return false;
    const std::size_t words = count * page_shadow_words + words_beyond;
    Word* memory = device_memory<Word>(words);
    if (memory == nullptr && reclaim_idle()) memory = device_memory<Word>(words);
    if (memory == nullptr) return count > 1 && add_extent(first, count / 2) && add_extent(first + count / 2, count - count / 2);
    extents_.push_back(std::make_unique<Extent>(Extent{memory, first, count, count}));
    Extent* extent = extents_.back().get();
    for (std::size_t i = 0; i < count; ++i) {
      pages_[first + i] = {extent, 1};
      entry(first + i) = memory + i * page_shadow_words;
    }
    changed_ = true;
    return zero(*extent) && write_entries(first, count);
  }

  bool reclaim_idle() { return quietly([] { return ::cudaDeviceSynchronize(); }) == cudaSuccess && reclaim(); }

  bool zero(const Extent& extent) {
    return stream_.zero(extent.memory, page_shadow_words * sizeof(Word), page_granules * sizeof(Word), extent.pages);
  }

  Word*& entry(std::size_t page) { return directories_[page / directory_pages].entries[page % directory_pages]; }

  bool make_directories(std::size_t first, std::size_t count) {
    for (std::size_t number = first / directory_pages; number <= (first + count - 1) / directory_pages; ++number) {
      if (number >= directory_count - 1) return false;
      DirectoryCopy& directory = directories_[number];
      if (directory.device != nullptr) continue;
      Directory* device = device_memory<Directory>(1);
      directory.entries.assign(directory_pages, no_shadow_);
      if (device == nullptr || !stream_.to_device(device, directory.entries.data(), sizeof(Directory))) return false;
      directory.device = device;
      if (!stream_.to_device(&state_->directories[number], &device, sizeof device)) return false;
    }
    return true;
  }

  // Room in the list, taken while there is memory. A kernel may be using the old one.
  bool make_list(std::size_t pages) {
    if (pages <= list_capacity_) return true;
    Word** list = device_memory<Word*>(2 * pages);
    if (list == nullptr) return false;
    quietly([this] { return ::cudaFree(next_list_); });
    next_list_ = list;
    list_capacity_ = 2 * pages;
    return true;
  }

  bool write_entries(std::size_t first, std::size_t count) {
    for (std::size_t page = first; page < first + count;) {
      DirectoryCopy& directory = directories_[page / directory_pages];
      const std::size_t begin = page % directory_pages;
      const std::size_t here = std::min(first + count - page, directory_pages - begin);
      if (!stream_.to_device(&directory.device->pages[begin], &directory.entries[begin], here * sizeof(Word*))) return false;
      page += here;
    }
    return true;
  }

  DeviceState* state_;
  CopyStream& stream_;
  Word* no_shadow_;  // what entries for pages without shadow hold
  std::map<std::uintptr_t, std::size_t> allocations_;  // bytes, by address
  std::unordered_map<std::size_t, Page> pages_;
  std::vector<std::unique_ptr<Extent>> extents_;
  std::unordered_map<std::size_t, DirectoryCopy> directories_;
  Word** list_ = nullptr;
  Word** next_list_ = nullptr;  // to take its place
  std::size_t list_capacity_ = 0;
  bool changed_ = false;
};

}  // namespace hirace::gpu
