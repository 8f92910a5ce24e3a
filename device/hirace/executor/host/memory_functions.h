// Host code that reports its accesses calls the executor's versions of these functions.
#pragma once

#include <cstddef>

#if defined(HIRACE_REPORTS_HOST)
extern "C" void* memcpy(void* to, const void* from, std::size_t bytes) noexcept __asm__("hirace_memcpy");
extern "C" void* memmove(void* to, const void* from, std::size_t bytes) noexcept __asm__("hirace_memmove");
extern "C" void* memset(void* to, int value, std::size_t bytes) noexcept __asm__("hirace_memset");
#endif
