// The C library's byte functions in device code:
//
//   memcpy(to, from, n)  →  hirace::memcpy(WRITE, READ, to, from, n)
//   memset(to, byte, n)  →  hirace::memset(WRITE, to, byte, n)
//   memcmp(a, b, n)      →  hirace::memcmp(READ, READ, a, b, n)
#pragma once

#include <cstring>

#include "access.h"

namespace hirace {

// Checks whole granules where the alignment allows, and single bytes elsewhere, so that threads
// that copy neighbouring bytes do not overlap.
HIRACE_HOOK void check_bytes(AccessKind kind, const void* pointer, std::size_t bytes, SiteId site) {
  const backend::LaterStore later;
  const char* next = static_cast<const char*>(pointer);
  while (bytes > 0) {
    const auto address = reinterpret_cast<std::uintptr_t>(next);
    std::size_t piece = 1;
    if (address % 16 == 0 && bytes >= 16) {
      piece = 16;
    } else if (address % granule_bytes == 0 && bytes >= granule_bytes) {
      piece = granule_bytes;
    }
    backend::check(kind, next, piece, site);
    next += piece;
    bytes -= piece;
  }
}

HIRACE_HOOK void* memcpy(SiteId write, SiteId read, void* to, const void* from, std::size_t bytes) {
  check_bytes(AccessKind::read, from, bytes, read);
  check_bytes(AccessKind::write, to, bytes, write);
  return ::memcpy(to, from, bytes);
}

// Not every device library has a memmove.
HIRACE_HOOK void* memmove(SiteId write, SiteId read, void* to, const void* from, std::size_t bytes) {
  check_bytes(AccessKind::read, from, bytes, read);
  check_bytes(AccessKind::write, to, bytes, write);
  return __builtin_memmove(to, from, bytes);
}

HIRACE_HOOK void* memset(SiteId write, void* to, int byte, std::size_t bytes) {
  check_bytes(AccessKind::write, to, bytes, write);
  return ::memset(to, byte, bytes);
}

// May read all bytes; how many it reads is unspecified.
HIRACE_HOOK int memcmp(SiteId first, SiteId second, const void* a, const void* b, std::size_t bytes) {
  check_bytes(AccessKind::read, a, bytes, first);
  check_bytes(AccessKind::read, b, bytes, second);
  return ::memcmp(a, b, bytes);
}

}  // namespace hirace
