// The C library's functions that open files, so that the report can name a file that is not there.
//
// Weak: a program's own function of such a name comes first.
#pragma once

#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstdarg>
#include <cstdio>
#include <cstring>

#include "../memory/system_calls.h"
#include "unmet_needs.h"

namespace hirace::cpu {

// Files of the system are looked for by libraries, and it is normal that some do not exist.
inline bool is_of_system(const char* path) {
  for (const char* directory : {"/proc/", "/sys/", "/dev/", "/etc/", "/usr/", "/lib"}) {
    if (std::strncmp(path, directory, std::strlen(directory)) == 0) return true;
  }
  return false;
}

inline void note_unopened(const char* path) {
  if (path != nullptr && !is_of_system(path)) note_unmet_need("file", path);
}

// What static programs use instead of the C library's open().
inline int open_directly(const char* path, int flags, mode_t mode) {
  return static_cast<int>(syscall(SYS_openat, AT_FDCWD, path, flags, mode));
}

// The same for fopen().
inline std::FILE* open_stream_directly(const char* path, const char* mode) {
  const bool both = std::strchr(mode, '+') != nullptr;
  const int way = both ? O_RDWR : mode[0] == 'r' ? O_RDONLY : O_WRONLY;
  const int more = mode[0] == 'w' ? O_CREAT | O_TRUNC : mode[0] == 'a' ? O_CREAT | O_APPEND : 0;
  const int file = open_directly(path, way | more, 0666);
  return file >= 0 ? fdopen(file, mode) : nullptr;
}

}  // namespace hirace::cpu

#define HIRACE_OPENS_STREAM(name)                                                                                    \
  extern "C" __attribute__((weak, used)) std::FILE* name(const char* path, const char* mode) {                       \
    static auto* const function = hirace::cpu::function_of_library<std::FILE*(const char*, const char*)>(#name);     \
    std::FILE* const file = function != nullptr ? function(path, mode) : hirace::cpu::open_stream_directly(path, mode); \
    if (file == nullptr) hirace::cpu::note_unopened(path);                                                           \
    return file;                                                                                                     \
  }

#define HIRACE_OPENS_FILE(name)                                                                                  \
  extern "C" __attribute__((weak, used)) int name(const char* path, int flags, ...) {                            \
    std::va_list arguments;                                                                                      \
    va_start(arguments, flags);                                                                                  \
    const mode_t mode = (flags & (O_CREAT | __O_TMPFILE)) != 0 ? static_cast<mode_t>(va_arg(arguments, int)) : 0; \
    va_end(arguments);                                                                                           \
    static auto* const function = hirace::cpu::function_of_library<int(const char*, int, ...)>(#name);           \
    const int file = function != nullptr ? function(path, flags, mode) : hirace::cpu::open_directly(path, flags, mode); \
    if (file < 0) hirace::cpu::note_unopened(path);                                                              \
    return file;                                                                                                 \
  }

HIRACE_OPENS_STREAM(fopen)
HIRACE_OPENS_STREAM(fopen64)
HIRACE_OPENS_FILE(open)
HIRACE_OPENS_FILE(open64)

#undef HIRACE_OPENS_STREAM
#undef HIRACE_OPENS_FILE
