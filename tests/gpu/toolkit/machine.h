// An emulated GPU for tests of the code that uses one. Its memory is memory of the process, protected
// where a kernel or a copy must not access it, so that a mistake is a crash. Its threads take turns
// (threads.h).
#pragma once

#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>

namespace made_up {

constexpr std::size_t mebibyte = std::size_t{1} << 20;

// Ends a test: the attempt is undefined, or an error that nothing would report.
[[noreturn]] inline void mistake(const char* what) {
  std::fprintf(stderr, "made-up GPU: %s\n", what);
  std::_Exit(99);
}

class Machine {
 public:
  // What a test sets.
  bool has_virtual_memory = true;
  std::size_t max_reserved = std::size_t{1} << 42;  // in one reservation
  std::size_t free_bytes = 4096 * mebibyte;
  int allocations_left = -1;  // before one fails; none fails below 0
  bool tells_parameters = true;  // of kernels
  std::size_t refuses_shared_above = ~std::size_t{0};  // dynamic memory, when a kernel is launched
  int error = 0;              // sticky: the device is lost

  // What a test reads.
  std::size_t reservations = 0;
  std::size_t replacements = 0;  // compare-and-swaps of the checks

  // Of the running kernel.
  unsigned long long grid = 0;
  std::size_t static_shared = 0, dynamic_shared = 0;

  // Memory of the device at unique addresses. Large allocations begin on a page, like CUDA's.
  void* allocate(std::size_t bytes) {
    if (bytes == 0 || !take(bytes)) return nullptr;
    const std::size_t alignment = bytes >= mebibyte ? 2 * mebibyte : 512;
    next_ = (next_ + alignment - 1) / alignment * alignment;
    const std::uintptr_t address = next_;
    next_ += bytes;
    protect(address / page * page, (next_ + page - 1) / page * page - address / page * page, PROT_READ | PROT_WRITE);
    allocations_[address] = bytes;
    return reinterpret_cast<void*>(address);
  }

  bool free(void* memory) {
    const auto found = allocations_.find(reinterpret_cast<std::uintptr_t>(memory));
    if (found == allocations_.end()) return false;
    free_bytes += found->second;
    allocations_.erase(found);
    return true;
  }

  // The allocation that an address lies in.
  bool range_of(std::uintptr_t address, std::uintptr_t& start, std::size_t& bytes) const {
    auto found = allocations_.upper_bound(address);
    if (found == allocations_.begin()) return false;
    --found;
    start = found->first;
    bytes = found->second;
    return address - start < bytes;
  }

  // Skips addresses.
  void skip(std::size_t bytes) { next_ += bytes; }
  // The next allocations begin at an address that is no longer in use.
  void reuse(void* address) { next_ = reinterpret_cast<std::uintptr_t>(address); }

  // The device is lost because of a kernel, with its memory.
  void lose(int with) {
    error = with;
    protect(arena_, arena_bytes, PROT_NONE);
  }

  std::uintptr_t reserve(std::size_t bytes) {
    if (bytes % granularity != 0) mistake("addresses of no whole pages");
    if (bytes > max_reserved) return 0;
    void* memory = ::mmap(nullptr, bytes + granularity, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) return 0;
    const std::uintptr_t address = (reinterpret_cast<std::uintptr_t>(memory) + granularity - 1) / granularity * granularity;
    reserved_[address] = bytes;
    ++reservations;
    return address;
  }

  void unreserve(std::uintptr_t address, std::size_t bytes) {
    const auto found = reserved_.find(address);
    if (found == reserved_.end() || found->second != bytes) mistake("frees what was not reserved");
    const auto mapped = mappings_.lower_bound(address);
    if (mapped != mappings_.end() && mapped->first < address + bytes) mistake("frees addresses where memory is mapped");
    ::munmap(reinterpret_cast<void*>(address), bytes);
    reserved_.erase(found);
    --reservations;
  }

  bool create(std::size_t bytes, unsigned long long& handle) {
    if (bytes == 0 || bytes % granularity != 0) mistake("memory of no whole pages");
    if (!take(bytes)) return false;
    const int file = ::memfd_create("memory", MFD_CLOEXEC);
    if (file < 0 || ::ftruncate(file, static_cast<off_t>(bytes)) != 0) mistake("out of files");
    handle = static_cast<unsigned long long>(file);
    memory_[handle] = {bytes, 1};
    return true;
  }

  void release(unsigned long long handle) { drop(handle); }

  void map(std::uintptr_t address, std::size_t bytes, unsigned long long handle) {
    const auto memory = memory_.find(handle);
    if (memory == memory_.end() || memory->second.bytes < bytes) mistake("maps more than there is");
    if (address % granularity != 0 || bytes % granularity != 0) mistake("maps no whole pages");
    auto reservation = reserved_.upper_bound(address);
    if (reservation == reserved_.begin()) mistake("maps where nothing is reserved");
    --reservation;
    if (address + bytes > reservation->first + reservation->second) mistake("maps beyond what is reserved");
    const auto next = mappings_.lower_bound(address);
    if (next != mappings_.end() && next->first < address + bytes) mistake("maps where something is mapped");
    if (next != mappings_.begin() && std::prev(next)->first + std::prev(next)->second.bytes > address) {
      mistake("maps where something is mapped");
    }
    if (::mmap(reinterpret_cast<void*>(address), bytes, PROT_NONE, MAP_SHARED | MAP_FIXED, static_cast<int>(handle), 0) ==
        MAP_FAILED) {
      mistake("out of mappings");
    }
    ++memory->second.uses;
    mappings_[address] = {bytes, handle};
  }

  void unmap(std::uintptr_t address, std::size_t bytes) {
    const auto found = mappings_.find(address);
    if (found == mappings_.end() || found->second.bytes != bytes) mistake("unmaps what one call has not mapped");
    ::mmap(reinterpret_cast<void*>(address), bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
    drop(found->second.handle);
    mappings_.erase(found);
  }

  void allow(std::uintptr_t address, std::size_t bytes, bool write) {
    std::uintptr_t at = address;
    while (at < address + bytes) {
      const auto found = mappings_.find(at);
      if (found == mappings_.end()) mistake("allows access to what is not mapped");
      at += found->second.bytes;
    }
    protect(address, bytes, write ? PROT_READ | PROT_WRITE : PROT_READ);
  }

  // Mapped pages, absent ones included.
  std::size_t mappings() const { return mappings_.size(); }

 private:
  static constexpr std::size_t page = 4096;
  static constexpr std::size_t granularity = 2 * mebibyte;
  static constexpr std::size_t arena_bytes = std::size_t{1} << 38;

  struct Memory {
    std::size_t bytes;
    int uses;
  };
  struct Mapping {
    std::size_t bytes;
    unsigned long long handle;
  };

  bool take(std::size_t bytes) {
    if (bytes > free_bytes || allocations_left == 0) return false;
    if (allocations_left > 0) --allocations_left;
    free_bytes -= bytes;
    return true;
  }

  void drop(unsigned long long handle) {
    const auto memory = memory_.find(handle);
    if (memory == memory_.end()) mistake("releases what is not there");
    if (--memory->second.uses != 0) return;
    free_bytes += memory->second.bytes;
    memory_.erase(memory);
    ::close(static_cast<int>(handle));
  }

  static void protect(std::uintptr_t address, std::size_t bytes, int access) {
    if (::mprotect(reinterpret_cast<void*>(address), bytes, access) != 0) mistake("out of mappings");
  }

  static std::uintptr_t make_arena() {
    void* memory = ::mmap(nullptr, arena_bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) mistake("out of addresses");
    return reinterpret_cast<std::uintptr_t>(memory);
  }

  const std::uintptr_t arena_ = make_arena();
  std::uintptr_t next_ = arena_;
  std::map<std::uintptr_t, std::size_t> allocations_, reserved_;
  std::map<std::uintptr_t, Mapping> mappings_;
  std::map<unsigned long long, Memory> memory_;
};

// Never destroyed, because code that runs at exit may use it.
inline Machine& machine() {
  static Machine* made = new Machine;
  return *made;
}

}  // namespace made_up
