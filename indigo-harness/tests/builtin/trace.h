// Records what a program does: the hooks of the headers that follow call this first.
//
// A line of HIRACE_TRACE is an event: the number of the launch, the shape of its grid, the thread, and
//   a KIND SPACE ADDRESS SIZE   an access; shared memory counts from the beginning of the block's
//   b                           the thread has reached a barrier of its block
//   w                           it has reached a barrier of its warp
// Events are in their real order if the launch runs on one OS thread.
#pragma once

#include <hirace/executor/check/check.h>
#include <hirace/executor/memory/arena.h>
#include <hirace/executor/scheduler/scheduler_interface.h>
#include <hirace/records/record_file.h>

#include <cinttypes>
#include <cstdio>
#include <cstdlib>

namespace hirace::traced {

using namespace cpu;

// Null without HIRACE_TRACE. It is written line by line, so that it is complete up to a fault.
inline std::FILE* trace() {
  static std::FILE* const file = [] {
    const char* const path = std::getenv("HIRACE_TRACE");
    if (path == nullptr) return static_cast<std::FILE*>(nullptr);
    std::FILE* const opened = std::fopen(path, "w");
    if (opened == nullptr) std::abort();
    std::setvbuf(opened, nullptr, _IOLBF, 1 << 12);
    return opened;
  }();
  return file;
}

template <class... Values>
void note(const char* format, Values... values) {
  if (!monitor.in_kernel || trace() == nullptr) return;
  const Coordinates grid = grid_dimensions(), size = block_dimensions();
  std::fprintf(trace(), "%u %u %u %u %u ", current_launch.epoch, grid.x, size.x, current_block().x, current_thread().x);
  std::fprintf(trace(), format, values...);
}

inline void note_access(AccessKind kind, const volatile void* pointer, std::size_t size) {
  const std::uintptr_t offset = reinterpret_cast<std::uintptr_t>(pointer) - arena().base();
  const bool shared = offset < arena().shared_bytes();
  if (offset < arena().bytes()) {
    note("a %u %c %" PRIuPTR " %zu\n", static_cast<unsigned>(kind), shared ? 's' : 'g', offset, size);
  }
}

HIRACE_HOOK void check(AccessKind kind, const volatile void* pointer, std::size_t size, SiteId site, std::size_t align, bool reads) {
  note_access(kind, pointer, size);
  cpu::check(kind, pointer, size, site, align, reads);
}

HIRACE_HOOK void check_strong(AccessKind kind, const Strength& how, const volatile void* pointer, std::size_t size, SiteId site,
                              std::size_t align, bool reads) {
  note_access(kind, pointer, size);
  cpu::check_strong(kind, how, pointer, size, site, align, reads);
}

HIRACE_HOOK void check(AccessKind kind, const volatile void* pointer, std::size_t size, SiteId site, std::size_t align = 1) {
  check(kind, pointer, size, site, align, uses_value(kind));
}

inline void block_barrier(SiteId site) {
  note("b\n");
  cpu::block_barrier(site);
}

inline bool warp_barrier(SiteId site, std::uint32_t mask) {
  note("w\n");
  return cpu::warp_barrier(site, mask);
}

}  // namespace hirace::traced

#define backend traced
