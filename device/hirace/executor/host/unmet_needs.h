// What the program asked for and did not get: files and devices. If it then ends without a launch, the
// command's report says so, because that is the likely cause.
//
// One line each, in the file that HIRACE_NEEDS names: `file PATH`, `device NUMBER`, `devices` for their
// number.
#pragma once

#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdio>

#include "../environment.h"

namespace hirace::cpu {

inline void note_unmet_need(const char* kind, const char* what) {
  constexpr unsigned most = 1000;
  static std::atomic<unsigned> noted{0};
  const char* const file = environment_text("HIRACE_NEEDS");
  if (file == nullptr || noted.fetch_add(1, std::memory_order_relaxed) >= most) return;
  const int error = errno;
  char line[4096];
  const int length = std::snprintf(line, sizeof line, "%s %s\n", kind, what);
  // Not through open(), which may be what calls this function (file_calls.h).
  const long out = syscall(SYS_openat, AT_FDCWD, file, O_WRONLY | O_APPEND | O_CLOEXEC);
  if (out >= 0 && length > 0 && static_cast<std::size_t>(length) < sizeof line) {
    syscall(SYS_write, out, line, static_cast<std::size_t>(length));
  }
  if (out >= 0) syscall(SYS_close, out);
  errno = error;
}

}  // namespace hirace::cpu
