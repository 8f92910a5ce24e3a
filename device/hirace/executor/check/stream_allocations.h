// Stream-ordered allocations: memory that exists from its allocation on, in the order of a stream (CUDA C++
// Programming Guide, "Stream Ordered Memory Allocator").
//
// An allocation counts as a write of all its bytes, and so does its release. The accesses of launches are
// remembered by granule (launch_accesses.h), allocations as ranges: most of their memory may never be touched.
#pragma once

#include <map>

#include "../../hooks/site.h"

namespace hirace::cpu {

struct StreamAllocation {
  std::uintptr_t end;
  std::uint32_t launch;  // the number of the call in stream_order()
  SiteId site;
};

// Changed only while nothing else works in a stream.
class StreamAllocations {
 public:
  void add(std::uintptr_t begin, const StreamAllocation& allocation) { by_begin_[begin] = allocation; }
  void remove(std::uintptr_t begin) { by_begin_.erase(begin); }
  void clear() { by_begin_.clear(); }

  // The one that an address belongs to; null if there is none.
  const StreamAllocation* find(std::uintptr_t address) const {
    if (by_begin_.empty()) return nullptr;
    const auto next = by_begin_.upper_bound(address);
    if (next == by_begin_.begin()) return nullptr;
    const StreamAllocation& found = std::prev(next)->second;
    return address < found.end ? &found : nullptr;
  }

 private:
  std::map<std::uintptr_t, StreamAllocation> by_begin_;
};

inline StreamAllocations& stream_allocations() {
  static StreamAllocations* const allocations = new StreamAllocations;
  return *allocations;
}

}  // namespace hirace::cpu
