// Memory that the host may access: managed and pinned allocations, registered memory, and __managed__ variables.
//
// Accesses of the host and of kernels to it are compared if the program's host code was compiled so
// that it reports its accesses (host_reports.h). All other programs lose nothing.
#pragma once

#include <sys/mman.h>

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "../memory/arena.h"
#include "../memory/device_section.h"
#include "../memory/registered_memory.h"

namespace hirace::cpu {

// Nesting of code that runs on the host in place of the device, or that a stream calls.
inline thread_local unsigned acts_for_device = 0;
// Whether that is a host function.
inline thread_local bool runs_host_function = false;

// Whether some host code reports its accesses.
inline std::atomic<bool> host_code_reports{false};

class HostMemory {
 public:
  // Whole pages belong to one allocation.
  void add(std::uintptr_t begin, std::uintptr_t end) {
    if (pages_ == nullptr) {
      void* const memory = mmap(nullptr, arena().bytes() / page_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
      if (memory == MAP_FAILED) return;
      base_ = arena().base();
      bytes_ = arena().bytes();
      pages_ = static_cast<std::atomic<std::uint8_t>*>(memory);
    }
    set(begin, end, 1);
    exists_.store(true, std::memory_order_release);
  }
  void remove(std::uintptr_t begin, std::uintptr_t end) {
    if (pages_ != nullptr) set(begin, end, 0);
  }

  // Whether there have been such allocations; whether there may be such memory.
  bool is_allocated() const { return exists_.load(std::memory_order_acquire) || registered_memory().has_hosts(); }
  bool exists() const { return is_allocated() || has_managed_variables; }

  // An access of the host to a __device__ variable can only be to a __managed__ one.
  bool contains(std::uintptr_t address) const {
    if (has_managed_variables && address - reinterpret_cast<std::uintptr_t>(device_section_begin()) < section_bytes()) return true;
    if (exists_.load(std::memory_order_acquire) && address - base_ < bytes_) return pages_[(address - base_) / page_bytes].load(std::memory_order_relaxed) != 0;
    const RegisteredMemory::Range* const range = registered_memory().find(address);
    return range != nullptr && range->owner == RegisteredMemory::Owner::host && range->place != RegisteredMemory::Range::no_place;
  }
  bool contains(const void* address) const { return contains(reinterpret_cast<std::uintptr_t>(address)); }

 private:
  static std::size_t section_bytes() { return static_cast<std::size_t>(device_section_end() - device_section_begin()); }

  void set(std::uintptr_t begin, std::uintptr_t end, std::uint8_t value) {
    for (std::uintptr_t page = begin; page < end; page += page_bytes) pages_[(page - base_) / page_bytes].store(value, std::memory_order_relaxed);
  }

  std::atomic<bool> exists_{false};
  std::uintptr_t base_ = 0;
  std::size_t bytes_ = 0;
  std::atomic<std::uint8_t>* pages_ = nullptr;  // 1 for pages of such memory
};

inline HostMemory global_host_memory;
inline HostMemory& host_memory() { return global_host_memory; }

// Whether accesses of the host and of kernels are compared.
inline bool watches_host() { return host_code_reports.load(std::memory_order_relaxed) && host_memory().exists(); }

}  // namespace hirace::cpu
