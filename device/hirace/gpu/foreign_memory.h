// Memory that was not allocated through our hooks: by a library, or in code that is not
// instrumented. Addresses that a kernel may use are looked up in the driver.
//
// We do not see when such memory is freed. Its shadow may stay, because words of an earlier launch
// mean nothing. Each address is looked up again before every launch, so that a new allocation at
// the same place gets complete shadow.
#pragma once

#include <iterator>
#include <map>

#include "memory_range.h"
#include "shadow_pages.h"

namespace hirace::gpu {

class ForeignMemory {
 public:
  // The allocation around the address `value`, if it needs shadow and has none, or if it has
  // changed since it got some.
  std::optional<MemoryRange> without_shadow(std::uintptr_t value, ShadowPages& pages) {
    if (value < page_bytes || value >> address_bits != 0) return {};
    const auto known = at(value);
    const bool has_shadow = pages.knows(value);
    if (known == known_.end() && has_shadow) return {};
    const std::optional<MemoryRange> range = range_of(value);
    if (known != known_.end() && range && range->begin == known->first && range->bytes == known->second && has_shadow) return {};
    if (known != known_.end()) forget(known, pages);
    if (!range) return {};
    auto next = known_.lower_bound(range->begin);
    while (next != known_.end() && next->first - range->begin < range->bytes) next = forget(next, pages);
    known_[range->begin] = range->bytes;
    return range;
  }

  // Forgets allocations that no longer exist.
  void refresh(ShadowPages& pages) {
    for (auto known = known_.begin(); known != known_.end();) {
      const std::optional<MemoryRange> range = range_of(known->first);
      const bool same = range && range->begin == known->first && range->bytes == known->second;
      known = same ? std::next(known) : forget(known, pages);
    }
  }

  void clear() { known_.clear(); }

 private:
  using Known = std::map<std::uintptr_t, std::size_t>;

  Known::iterator at(std::uintptr_t address) {
    const auto next = known_.upper_bound(address);
    if (next == known_.begin() || address - std::prev(next)->first >= std::prev(next)->second) return known_.end();
    return std::prev(next);
  }

  Known::iterator forget(Known::iterator known, ShadowPages& pages) {
    pages.unmap(known->first);
    return known_.erase(known);
  }

  Known known_;  // bytes, by the first address
};

}  // namespace hirace::gpu
