// Device memory that has not been written yet.
//
// cudaMalloc fills each granule it allocates with a pattern. If the first access to a granule is a
// read that finds the pattern, the granule has not been written: writers that are not monitored need no
// bookkeeping. A program writes the pattern itself only by rare chance. Copies, which write most
// memory that is read first, are tracked with one bit per granule.
#pragma once

#include <sys/mman.h>

#include <cstring>

#include "granule.h"
#include "../memory/arena.h"

namespace hirace::cpu {

class FreshMemory {
 public:
  FreshMemory() {
    const std::size_t bytes = arena().bytes() / granule_bytes / 8;
    void* const memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory != MAP_FAILED) copied_ = static_cast<unsigned char*>(memory);
  }

  // Fills an allocation that begins at a granule; the rest of its last granule belongs to the heap.
  // False if that would cost too much memory: reads of it are then not checked.
  bool fill(std::uintptr_t address, std::size_t bytes) {
    if (copied_ == nullptr || bytes > limit_ - filled_) return false;
    filled_ += bytes;
    const std::size_t first = (address - arena().base()) / granule_bytes;
    const std::size_t end = first + (bytes + granule_bytes - 1) / granule_bytes;
    auto* const granules = reinterpret_cast<std::uint32_t*>(arena().base());
    for (std::size_t granule = first; granule < end; ++granule) granules[granule] = fresh_pattern(granule);
    set(first, end, false);
    return true;
  }
  void forget(std::size_t bytes) { filled_ -= bytes; }

  // A copy, or other code without hooks, has written the range.
  void note_copied(const void* to, std::size_t bytes) {
    const auto address = reinterpret_cast<std::uintptr_t>(to);
    if (copied_ == nullptr || bytes == 0 || !arena().contains(address)) return;
    const std::uintptr_t offset = address - arena().base();
    set(offset / granule_bytes, (offset + bytes - 1) / granule_bytes + 1, true);
  }

  // The first unwritten granule of a filled range; its end if all were written.
  std::size_t first_unwritten(std::size_t begin, std::size_t end) const {
    const auto* const granules = reinterpret_cast<const std::uint32_t*>(arena().base());
    for (; begin < end; ++begin) {
      if (begin % 8 == 0 && begin + 8 <= end && copied_[begin / 8] == 0xff) {
        begin += 7;
      } else if (!is_copied(begin) && granules[begin] == fresh_pattern(begin)) {
        return begin;
      }
    }
    return end;
  }

  bool is_copied(std::size_t granule) const { return (copied_[granule / 8] >> granule % 8 & 1) != 0; }

 private:
  void set(std::size_t begin, std::size_t end, bool value) {
    for (; begin < end && begin % 8 != 0; ++begin) set_one(begin, value);
    for (; end > begin && end % 8 != 0; --end) set_one(end - 1, value);
    if (begin < end) std::memset(copied_ + begin / 8, value ? 0xff : 0, (end - begin) / 8);
  }
  // Another host thread may be changing neighbouring bits.
  void set_one(std::size_t granule, bool value) {
    const auto bit = static_cast<unsigned char>(1u << granule % 8);
    if (value) {
      __atomic_fetch_or(&copied_[granule / 8], bit, __ATOMIC_RELAXED);
    } else {
      __atomic_fetch_and(&copied_[granule / 8], static_cast<unsigned char>(~bit), __ATOMIC_RELAXED);
    }
  }

  // Filled memory stays resident, even if the program uses only a part.
  static std::size_t max_filled_bytes() {
    constexpr std::size_t max = std::size_t{1} << 30;
    const std::size_t share = memory_bytes_at_start() / 8;
    return share < max ? share : max;
  }

  unsigned char* copied_ = nullptr;
  const std::size_t limit_ = max_filled_bytes();
  std::size_t filled_ = 0;  // guarded by the heap's lock
};

inline FreshMemory& fresh_memory() {
  static FreshMemory* const memory = new FreshMemory;
  return *memory;
}

}  // namespace hirace::cpu
