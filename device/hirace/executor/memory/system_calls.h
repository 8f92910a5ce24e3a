// System calls that host code hands device memory to.
//
// The kernel answers EFAULT if memory is inaccessible, and sends no signal. So that a program is told
// why, these functions of the C library report such an access (HF013) before they make it, as the
// guard does for instructions. Others, such as readv() and ioctl(), fail with EFAULT, as they do
// with the memory of a real device.
//
// Weak: a program's own function of such a name comes first.
#pragma once

#include <dlfcn.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

#include <atomic>
#include <cstdio>

#include "../faults.h"
#include "host_guard.h"

#pragma weak dlsym

namespace hirace::cpu {

inline void note_host_call(std::uintptr_t address, std::size_t bytes, const void* caller) {
  if (bytes == 0 || monitor.in_kernel || !host_guard().is_guarded(address, bytes)) return;
  note_host_access(address, static_cast<const char*>(caller) - 1);
}

// The C library's function, which the program's replaces; null in a static program.
template <class Function>
Function* function_of_library(const char* name) {
  void* const next = reinterpret_cast<void*>(-1L);  // RTLD_NEXT: <dlfcn.h> may have been included without it
  return dlsym != nullptr ? reinterpret_cast<Function*>(dlsym(next, name)) : nullptr;
}

// What static programs use instead.
inline std::size_t read_items(void* memory, std::size_t size, std::size_t count, std::FILE* file) {
  auto* const bytes = static_cast<unsigned char*>(memory);
  for (std::size_t i = 0; i < size * count; ++i) {
    const int byte = std::getc(file);
    if (byte == EOF) return i / size;
    bytes[i] = static_cast<unsigned char>(byte);
  }
  return size != 0 ? count : 0;
}
inline std::size_t write_items(const void* memory, std::size_t size, std::size_t count, std::FILE* file) {
  const auto* const bytes = static_cast<const unsigned char*>(memory);
  for (std::size_t i = 0; i < size * count; ++i) {
    if (std::putc(bytes[i], file) == EOF) return i / size;
  }
  return size != 0 ? count : 0;
}

}  // namespace hirace::cpu

// `otherwise` does what the function does, without the C library's.
#define HIRACE_HOST_CALL(result, name, parameters, arguments, bytes, otherwise)                       \
  extern "C" __attribute__((weak, used)) result name parameters {                                     \
    if (__builtin_expect(hirace::cpu::guards_memory.load(std::memory_order_relaxed), 0)) {            \
      hirace::cpu::note_host_call(reinterpret_cast<std::uintptr_t>(memory), bytes, __builtin_return_address(0));                        \
    }                                                                                                 \
    static auto* const function = hirace::cpu::function_of_library<result parameters>(#name);         \
    return function != nullptr ? function arguments : static_cast<result>(otherwise);                 \
  }

HIRACE_HOST_CALL(ssize_t, read, (int file, void* memory, std::size_t size), (file, memory, size), size,
                 syscall(SYS_read, file, memory, size))
HIRACE_HOST_CALL(ssize_t, write, (int file, const void* memory, std::size_t size), (file, memory, size), size,
                 syscall(SYS_write, file, memory, size))
HIRACE_HOST_CALL(ssize_t, pread, (int file, void* memory, std::size_t size, off_t from), (file, memory, size, from), size,
                 syscall(SYS_pread64, file, memory, size, from))
HIRACE_HOST_CALL(ssize_t, pwrite, (int file, const void* memory, std::size_t size, off_t from), (file, memory, size, from), size,
                 syscall(SYS_pwrite64, file, memory, size, from))
HIRACE_HOST_CALL(ssize_t, recv, (int socket, void* memory, std::size_t size, int flags), (socket, memory, size, flags), size,
                 syscall(SYS_recvfrom, socket, memory, size, flags, nullptr, nullptr))
HIRACE_HOST_CALL(ssize_t, send, (int socket, const void* memory, std::size_t size, int flags), (socket, memory, size, flags), size,
                 syscall(SYS_sendto, socket, memory, size, flags, nullptr, 0))
HIRACE_HOST_CALL(std::size_t, fread, (void* memory, std::size_t size, std::size_t count, std::FILE* file), (memory, size, count, file),
                 size * count, hirace::cpu::read_items(memory, size, count, file))
HIRACE_HOST_CALL(std::size_t, fwrite, (const void* memory, std::size_t size, std::size_t count, std::FILE* file),
                 (memory, size, count, file), size * count, hirace::cpu::write_items(memory, size, count, file))

#undef HIRACE_HOST_CALL
