// Failed assertions of kernels and of host code.
#pragma once

#include <cstdio>
#include <cstdlib>

#include "check/original_text.h"
#include "check/fault_record.h"
#include "scheduler/worker.h"

namespace hirace::cpu {

// A failed assertion, reported for a kernel in CUDA's wording.
[[noreturn]] inline void fail_assertion(const char* expression, const char* file, unsigned line, const char* function,
                                       const void* instruction) {
  const PlainText plain = without_hooks(expression);
  if (!monitor.in_kernel) {
    std::fprintf(stderr, "%s:%u: %s: Assertion `%s' failed.\n", file, line, function, plain.text.c_str());
    std::abort();
  }
  std::fprintf(stderr, "%s:%u: %s: block: [%u,%u,%u], thread: [%u,%u,%u] Assertion `%s` failed.\n", file, line, function, blockIdx.x,
               blockIdx.y, blockIdx.z, threadIdx.x, threadIdx.y, threadIdx.z, plain.text.c_str());
  fail_at(Fault::assertion, plain.first_site, 0, instruction);
}

}  // namespace hirace::cpu

#ifdef __GLIBC__
// Replaces the function that glibc's assert() calls. The macro itself is redefined by every
// inclusion of <cassert>, so only the function can be replaced.
extern "C" __attribute__((used, noreturn)) inline void __assert_fail(const char* expression, const char* file, unsigned line,
                                                                     const char* function) noexcept {
  hirace::cpu::fail_assertion(expression, file, line, function, static_cast<const char*>(__builtin_return_address(0)) - 1);
}
#endif
