// The pages of the program's memory that have shadow.
//
// A page's shadow has its own memory, found through the window or the page table. If a run is short of
// memory, all pages share shadow with others.
//
// A page gets shadow with its first allocation, and keeps it when the last one is freed: its words
// lose their meaning with the next launch anyway, and the next allocation is likely to be there
// again. Shadow is released when memory runs short.
#pragma once

#include <iterator>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "shadow_cache.h"
#include "shadow_table.h"
#include "shadow_window.h"

namespace hirace::gpu {

class ShadowPages {
 public:
  explicit ShadowPages(CopyStream& stream) : stream_(stream), window_(stream), table_(stream), cache_(stream) {}

  bool make(int device, bool cached, DeviceState* state, DeviceState& host) {
    cached_ = cached;
    if (!cached_) window_.open(device);
    return table_.make(state, host);
  }

  // Switches to shadow that pages share, and releases the rest. The device must be idle. False if
  // that was already done.
  bool shrink() {
    if (cached_) return false;
    cached_ = changed_ = true;
    for (const auto& extent : extents_) remove(*extent);
    extents_.clear();
    window_.close();
    const auto known = std::exchange(allocations_, {});
    for (const auto& [address, allocation] : known) map(address, allocation.bytes);
    return true;
  }

  std::uint32_t max_epoch() const { return cached_ ? max_cached_epoch : hirace::max_epoch; }

  // How many bytes of an allocation have no shadow.
  std::size_t without(std::uintptr_t address) const {
    const auto allocation = allocations_.find(address);
    return allocation == allocations_.end() ? 0 : allocation->second.bytes - allocation->second.with;
  }

  // Whether the address is in an allocation that has shadow or was meant to.
  bool knows(std::uintptr_t address) const {
    const auto next = allocations_.upper_bound(address);
    return next != allocations_.begin() && address - std::prev(next)->first < std::prev(next)->second.bytes;
  }

  // Gives shadow to an allocation.
  void map(std::uintptr_t address, std::size_t bytes) {
    if (address == 0 || bytes == 0) return;
    unmap(address);
    allocations_[address] = {bytes, bytes};
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
      bool in_window = false;
      if (!cached_) count = window_.alike(page, count, in_window);
      if (!(cached_ ? add_cached(page, count) : add_extent(page, count, in_window))) {
        while (pages_.count(page) != 0) ++page;
        allocations_[address].with = page * page_bytes > address ? page * page_bytes - address : 0;
        return;
      }
      page += count;
    }
  }

  void unmap(std::uintptr_t address) {
    const auto allocation = allocations_.find(address);
    if (allocation == allocations_.end()) return;
    const std::size_t with = allocation->second.with;
    const std::size_t end = (address + with + page_bytes - 1) / page_bytes;
    for (std::size_t page = address / page_bytes; with != 0 && page < end; ++page) {
      const auto known = pages_.find(page);
      if (known == pages_.end() || known->second.allocations == 0) continue;
      if (--known->second.allocations == 0) --known->second.extent->live_pages;
    }
    allocations_.erase(allocation);
  }

  // Releases the shadow of memory that is no longer allocated. The device must be idle. Returns
  // whether there was any.
  bool reclaim() {
    bool any = false;
    for (auto extent = extents_.begin(); extent != extents_.end();) {
      if ((*extent)->live_pages != 0) {
        ++extent;
        continue;
      }
      remove(**extent);
      extent = extents_.erase(extent);
      changed_ = any = true;
    }
    return any;
  }

  // Makes every word read as one without an epoch.
  bool clear() {
    for (const auto& extent : extents_) {
      if (!zero(extent->memory, extent->pages)) return false;
    }
    for (Word* page : cache_.pages()) {
      if (!zero({page, page_granules}, 1)) return false;
    }
    return true;
  }

  // The window, where kernels find shadow without a page table.
  WindowView window() const { return window_.view(); }

  // Copies the list of all pages to the device if it has changed. The device must be idle.
  bool write_list(Word**& list, std::uint32_t& count) {
    if (!changed_) return true;
    if (next_list_ != nullptr) {
      quietly([this] { return ::cudaFree(list_); });
      list_ = next_list_;
      next_list_ = nullptr;
    }
    std::vector<Word*> pages = cache_.pages();
    for (const auto& extent : extents_) {
      for (std::size_t i = 0; extent->place != Place::cache && i < extent->pages; ++i) pages.push_back(extent->memory.words + i * extent->memory.pitch);
    }
    if (!pages.empty() && !stream_.to_device(list_, pages.data(), pages.size() * sizeof(Word*))) return false;
    list = list_;
    count = static_cast<std::uint32_t>(pages.size());
    changed_ = false;
    return true;
  }

 private:
  struct Allocation {
    std::size_t bytes;
    std::size_t with;  // with shadow, from the first on
  };
  enum class Place { window, table, cache };
  // Shadow that was allocated as a whole and is released as a whole.
  struct Extent {
    Place place;
    PageWords memory;  // none if in the cache
    PageEntry entry;   // if in the cache
    std::size_t first_page, pages;
    std::size_t live_pages;
  };
  struct Page {
    Extent* extent;
    std::size_t allocations;  // that overlap it
  };

  static constexpr std::size_t largest_extent = 64;

  // Shadow for `count` pages, in pieces if there is no single range.
  bool add_extent(std::size_t first, std::size_t count, bool in_window) {
    if (!make_list(pages_.size() + count)) return false;
    const auto map = [&] { return in_window ? window_.map(first, count) : table_.map(first, count); };
    PageWords memory = map();
    if (memory.words == nullptr && reclaim_idle()) memory = map();
    if (memory.words == nullptr) {
      return count > 1 && add_extent(first, count / 2, in_window) && add_extent(first + count / 2, count - count / 2, in_window);
    }
    add({in_window ? Place::window : Place::table, memory, 0, first, count, count});
    return zero(memory, count);
  }

  // Shared shadow for `count` pages.
  bool add_cached(std::size_t first, std::size_t count) {
    if (!make_list(cache_.pages().size() + count)) return false;
    if (!cache_.reserve(count) && !(reclaim_idle() && cache_.reserve(count))) {
      return count > 1 && add_cached(first, count / 2) && add_cached(first + count / 2, count - count / 2);
    }
    std::vector<PageEntry> entries(count);
    for (PageEntry& entry : entries) entry = cache_.take();
    if (!table_.lead(first, count, [&](std::size_t i) { return entries[i]; })) {
      for (const PageEntry entry : entries) cache_.give_back(entry);
      return false;
    }
    for (std::size_t i = 0; i < count; ++i) add({Place::cache, {}, entries[i], first + i, 1, 1});
    return true;
  }

  // Adds an extent, some pages of which an allocation touches.
  void add(const Extent& extent) {
    extents_.push_back(std::make_unique<Extent>(extent));
    for (std::size_t i = 0; i < extent.pages; ++i) pages_[extent.first_page + i] = {extents_.back().get(), 1};
    changed_ = true;
  }

  void remove(const Extent& extent) {
    for (std::size_t page = extent.first_page; page < extent.first_page + extent.pages; ++page) pages_.erase(page);
    switch (extent.place) {
      case Place::window: return window_.unmap(extent.first_page, extent.pages);
      case Place::table: return table_.unmap(extent.first_page, extent.pages, extent.memory.words);
      case Place::cache:
        // Pages that kernels could still find are not given to others.
        if (table_.lead_nowhere(extent.first_page, extent.pages)) cache_.give_back(extent.entry);
    }
  }

  bool reclaim_idle() { return quietly([] { return ::cudaDeviceSynchronize(); }) == cudaSuccess && reclaim(); }

  bool zero(const PageWords& memory, std::size_t pages) {
    if (memory.words == nullptr) return true;
    return stream_.zero(memory.words, memory.pitch * sizeof(Word), page_granules * sizeof(Word), pages);
  }

  // Room in the list, allocated while there is memory. A kernel may be using the old one.
  bool make_list(std::size_t pages) {
    if (pages <= list_capacity_) return true;
    Word** list = device_memory<Word*>(2 * pages);
    if (list == nullptr) return false;
    quietly([this] { return ::cudaFree(next_list_); });
    next_list_ = list;
    list_capacity_ = 2 * pages;
    return true;
  }

  CopyStream& stream_;
  ShadowWindow window_;
  ShadowTable table_;
  ShadowCache cache_;
  bool cached_ = false;
  std::map<std::uintptr_t, Allocation> allocations_;  // by address
  std::map<std::size_t, Page> pages_;
  std::vector<std::unique_ptr<Extent>> extents_;
  Word** list_ = nullptr;
  Word** next_list_ = nullptr;  // replaces the list
  std::size_t list_capacity_ = 0;
  bool changed_ = false;
};

}  // namespace hirace::gpu
