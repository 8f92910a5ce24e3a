// The address range that device memory comes from.
//
//   base                shared_bytes                                     bytes
//   | shared memory of the | memory that cudaMalloc and others allocate    |
//   | resident blocks      | (device_heap.h); free pages are inaccessible  |
//
// One range, reserved once, so that the shadow index of an address is arithmetic. It costs no
// memory until it is touched.
#pragma once

#include <sys/mman.h>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

namespace hirace::cpu {

constexpr std::size_t page_bytes = 4096;

constexpr std::size_t round_up(std::size_t value, std::size_t multiple) { return (value + multiple - 1) / multiple * multiple; }

class Arena {
 public:
  // The same address in every run, if it is free: programs that print or hash addresses, and
  // reports that show one, then repeat their output.
  static constexpr std::uintptr_t wanted_base = std::uintptr_t{1} << 44;

  Arena() {
    for (bytes_ = std::size_t{256} << 30; bytes_ >= std::size_t{1} << 30; bytes_ /= 2) {
      void* memory = mmap(reinterpret_cast<void*>(wanted_base), bytes_, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
      if (memory == MAP_FAILED) continue;
      base_ = reinterpret_cast<std::uintptr_t>(memory);
      const std::size_t largest = std::size_t{8} << 30;
      shared_bytes_ = bytes_ / 8 < largest ? bytes_ / 8 : largest;
      if (mprotect(memory, shared_bytes_, PROT_READ | PROT_WRITE) == 0) return;
    }
    std::fputs("hirace: failed to reserve 1 GiB of address space for device memory\n", stderr);
    std::exit(2);
  }

  std::uintptr_t base() const { return base_; }
  std::size_t bytes() const { return bytes_; }
  std::size_t shared_bytes() const { return shared_bytes_; }
  bool contains(std::uintptr_t address) const { return address - base_ < bytes_; }

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
