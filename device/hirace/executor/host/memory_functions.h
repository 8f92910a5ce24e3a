// Host code that reports its accesses calls the executor's versions of these functions.
//
// The compiler has instructions of its own in place of a call whose number of bytes it knows. One load or store is
// reported. Others are calls again. `__builtin_memcpy` and the like are not, and are reported only if they are calls.
#pragma once

#include <cstddef>

#if defined(HIRACE_REPORTS_HOST)
extern "C" {
void* hirace_memcpy(void* to, const void* from, std::size_t bytes) noexcept;
void* hirace_memmove(void* to, const void* from, std::size_t bytes) noexcept;
void* hirace_memset(void* to, int value, std::size_t bytes) noexcept;

void* memcpy(void* to, const void* from, std::size_t bytes) noexcept __asm__("hirace_memcpy");
void* memmove(void* to, const void* from, std::size_t bytes) noexcept __asm__("hirace_memmove");
void* memset(void* to, int value, std::size_t bytes) noexcept __asm__("hirace_memset");

// With _FORTIFY_SOURCE, the C library's header has such definitions, and only calls are reported.
#if !defined(_FORTIFY_SOURCE) || _FORTIFY_SOURCE == 0
#define HIRACE_REPORTED_CALL extern inline __attribute__((always_inline, gnu_inline, artificial))
#define HIRACE_IS_ONE_ACCESS(bytes) (__builtin_constant_p(bytes) && (bytes) <= 16 && ((bytes) & ((bytes) - 1)) == 0)
HIRACE_REPORTED_CALL void* memcpy(void* to, const void* from, std::size_t bytes) noexcept {
  return HIRACE_IS_ONE_ACCESS(bytes) ? __builtin_memcpy(to, from, bytes) : hirace_memcpy(to, from, bytes);
}
HIRACE_REPORTED_CALL void* memmove(void* to, const void* from, std::size_t bytes) noexcept {
  return HIRACE_IS_ONE_ACCESS(bytes) ? __builtin_memmove(to, from, bytes) : hirace_memmove(to, from, bytes);
}
HIRACE_REPORTED_CALL void* memset(void* to, int value, std::size_t bytes) noexcept {
  return HIRACE_IS_ONE_ACCESS(bytes) ? __builtin_memset(to, value, bytes) : hirace_memset(to, value, bytes);
}
#undef HIRACE_IS_ONE_ACCESS
#undef HIRACE_REPORTED_CALL
#endif
}
#endif
