// The address range that device memory comes from.
//
//   base                shared_bytes    + gap_bytes                             bytes
//   | shared memory of the | inaccessible | memory that cudaMalloc and others allocate    |
//   | resident blocks      |              | (device_heap.h); free pages are inaccessible  |
//
// The gap is so large that a wrong index, such as one that has become negative, does not lead from an allocation
// to shared memory.
//
// One range, reserved once, so that the shadow index of an address is arithmetic. It costs no
// memory until it is touched. It does take address space, as does its shadow: where a limit is set on
// that, the range is as large as half of the rest allows, since the program needs the other half for
// itself and for the stacks of its threads.
#pragma once

#include <sys/mman.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include "process_limits.h"

namespace hirace::cpu {

constexpr std::size_t page_bytes = 4096;

constexpr std::size_t round_up(std::size_t value, std::size_t multiple) { return (value + multiple - 1) / multiple * multiple; }

class Arena {
 public:
  // The same address in every run, if it is free: programs that print or hash addresses, and
  // reports that show one, then repeat their output.
  static constexpr std::uintptr_t wanted_base = std::uintptr_t{1} << 44;

  Arena() {
    const std::size_t left = ProcessLimits().address_bytes();
    limited_ = left != no_limit;
    const std::size_t most = limited_ ? std::max(left / 2 / (1 + shadow_per_byte), least_bytes) : largest_bytes;
    for (std::size_t bytes = std::min(most, largest_bytes); bytes >= least_bytes; bytes = limited_ ? bytes / 8 * 7 : bytes / 2) {
      if (reserve(bytes / step_bytes * step_bytes)) return;
      limited_ = true;
    }
    std::fprintf(stderr, "hirace: failed to reserve %zu MiB of address space for device memory and its shadow (ulimit -v)\n",
                 least_bytes * (1 + shadow_per_byte) >> 20);
    std::exit(2);
  }

  std::uintptr_t base() const { return base_; }
  std::size_t bytes() const { return bytes_; }
  std::size_t shared_bytes() const { return shared_bytes_; }
  std::size_t gap_bytes() const { return std::min(bytes_ / 8, std::size_t{32} << 30) / page_bytes * page_bytes; }
  bool contains(std::uintptr_t address) const { return address - base_ < bytes_; }
  // Whether there is less address space than wanted.
  bool limited() const { return limited_; }

  // The largest address space of shadow for a byte of this range: of shadow_memory.h, and of the nodes of
  // its witnesses.
  static constexpr std::size_t shadow_per_byte = 13;

  // Gives pages memory, or takes it away again so that an access faults. Fails only if the kernel
  // runs out of mappings.
  static bool commit(std::uintptr_t begin, std::uintptr_t end) {
    return mprotect(reinterpret_cast<void*>(begin), end - begin, PROT_READ | PROT_WRITE) == 0;
  }
  static void decommit(std::uintptr_t begin, std::uintptr_t end) {
    void* const pages = reinterpret_cast<void*>(begin);
    madvise(pages, end - begin, MADV_DONTNEED);
    mprotect(pages, end - begin, PROT_NONE);
  }

 private:
  static constexpr std::size_t largest_bytes = std::size_t{256} << 30, least_bytes = std::size_t{32} << 20;
  static constexpr std::size_t step_bytes = std::size_t{4} << 20;

  bool reserve(std::size_t bytes) {
    constexpr int kept = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
    void* const memory = mmap(reinterpret_cast<void*>(wanted_base), bytes, PROT_NONE, kept, -1, 0);
    if (memory == MAP_FAILED) return false;
    const std::size_t shared = std::min(bytes / 8, std::size_t{8} << 30) / page_bytes * page_bytes;
    if (fits(bytes * shadow_per_byte)) {
      base_ = reinterpret_cast<std::uintptr_t>(memory);
      bytes_ = bytes;
      shared_bytes_ = shared;
      return true;
    }
    munmap(memory, bytes);
    return false;
  }

  // Whether there is address space for shadow of this size, which is reserved later.
  static bool fits(std::size_t bytes) {
    void* const memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return memory != MAP_FAILED && munmap(memory, bytes) == 0;
  }

  bool limited_ = false;
  std::uintptr_t base_ = 0;
  std::size_t bytes_ = 0;
  std::size_t shared_bytes_ = 0;
};

// Never destroyed: destructors of the user's static objects may free device memory.
inline Arena& arena() {
  static Arena* const the_arena = new Arena;
  return *the_arena;
}

}  // namespace hirace::cpu
