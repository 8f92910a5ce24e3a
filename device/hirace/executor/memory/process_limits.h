// How much address space and memory this process may still use.
//
// Address space is limited by RLIMIT_AS and RLIMIT_DATA (getrlimit(2)). Memory is limited by what the
// machine has available, and by the control groups around the process (cgroups(7)): with version 2 each
// group up to the root may have a limit in memory.max, with version 1 in memory.limit_in_bytes.
// HIRACE_MEMORY_MIB sets a limit of its own.
#pragma once

#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "../environment.h"

namespace hirace::cpu {

constexpr std::size_t no_limit = ~std::size_t{0};

class ProcessLimits {
 public:
  // The system's files are below `root`: other than "" in tests.
  explicit ProcessLimits(const char* root = "") : root_(root) {}

  // Address space that writable mappings may still take.
  std::size_t address_bytes() const {
    const Sizes sizes = own_sizes();
    return std::min(left_of(RLIMIT_AS, sizes.all), left_of(RLIMIT_DATA, sizes.data));
  }

  // Memory that the process may still take without being killed or made to swap.
  std::size_t memory_bytes() const { return std::min(address_bytes(), unused_bytes()); }

  // The same if it has reserved the address space for it.
  std::size_t unused_bytes() const { return std::min({available_bytes(), group_bytes(), asked_bytes()}); }

  // What the control groups leave; no_limit if they have no limit.
  std::size_t group_bytes() const {
    char groups[4096];
    if (!read("/proc/self/cgroup")) return no_limit;
    std::memcpy(groups, text_, sizeof groups - 1);
    groups[sizeof groups - 1] = '\0';
    std::size_t least = no_limit;
    char* rest = groups;
    while (char* const line = next_line(rest)) {
      char* const names = std::strchr(line, ':');
      char* const path = names != nullptr ? std::strchr(names + 1, ':') : nullptr;
      if (path == nullptr) continue;
      *path = '\0';
      const bool version_2 = names[1] == '\0';
      if (version_2) {
        least = std::min(least, least_upwards(path + 1, unified));
      } else if (names_memory(names + 1)) {
        least = std::min(least, least_upwards(path + 1, legacy));
      }
    }
    return least;
  }

 private:
  // The files of a version: where they are, and what a group's file cache is called, which it gives up.
  struct Files {
    const char *mount, *limit, *usage, *cache;
  };
  static constexpr Files unified{"/sys/fs/cgroup", "memory.max", "memory.current", "inactive_file "};
  static constexpr Files legacy{"/sys/fs/cgroup/memory", "memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file "};

  // Of this process, in bytes.
  struct Sizes {
    std::size_t all, resident, data;
  };
  Sizes own_sizes() const {
    // proc(5): in pages; the first is all of the address space, the second in RAM, the sixth data and stack.
    std::size_t pages[6] = {};
    if (read("/proc/self/statm")) {
      const char* at = text_;
      for (std::size_t& each : pages) {
        char* end = nullptr;
        each = std::strtoull(at, &end, 10);
        at = end;
      }
    }
    const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    return {pages[0] * page, pages[1] * page, pages[5] * page};
  }

  // What HIRACE_MEMORY_MIB leaves.
  std::size_t asked_bytes() const {
    static const std::uint32_t mebibytes = environment_number("HIRACE_MEMORY_MIB", 0);
    if (mebibytes == 0) return no_limit;
    const std::size_t limit = std::size_t{mebibytes} << 20, used = own_sizes().resident;
    return limit > used ? limit - used : 0;
  }

  static std::size_t left_of(decltype(RLIMIT_AS) resource, std::size_t used) {
    struct rlimit limit {};
    if (getrlimit(resource, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return no_limit;
    return limit.rlim_cur > used ? limit.rlim_cur - used : 0;
  }

  // The text of a file, or its beginning.
  bool read(const char* path) const {
    char name[4200];
    std::snprintf(name, sizeof name, "%s%s", root_, path);
    const int file = open(name, O_RDONLY | O_CLOEXEC);
    if (file < 0) return false;
    std::size_t length = 0;
    for (ssize_t got = 1; got > 0 && length < sizeof text_ - 1; length += got > 0 ? static_cast<std::size_t>(got) : 0) {
      got = ::read(file, text_ + length, sizeof text_ - 1 - length);
    }
    close(file);
    std::memset(text_ + length, 0, sizeof text_ - length);
    return length != 0;
  }

  // The number after a key at the start of a line.
  bool number_after(const char* key, std::size_t& number) const {
    const char* at = text_;
    while (std::strncmp(at, key, std::strlen(key)) != 0) {
      at = std::strchr(at, '\n');
      if (at == nullptr) return false;
      ++at;
    }
    number = std::strtoull(at + std::strlen(key), nullptr, 10);
    return true;
  }

  std::size_t available_bytes() const {
    std::size_t kibibytes = 0;
    if (read("/proc/meminfo") && number_after("MemAvailable:", kibibytes)) return kibibytes * 1024;
    return static_cast<std::size_t>(sysconf(_SC_PHYS_PAGES)) * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  }

  static char* next_line(char*& rest) {
    if (*rest == '\0') return nullptr;
    char* const line = rest;
    char* const end = std::strchr(line, '\n');
    rest = end != nullptr ? end + 1 : line + std::strlen(line);
    if (end != nullptr) *end = '\0';
    return line;
  }

  // Whether a list of controllers contains the one of memory.
  static bool names_memory(const char* controllers) {
    constexpr std::size_t length = sizeof "memory" - 1;
    for (const char* at = controllers; (at = std::strstr(at, "memory")) != nullptr; at += length) {
      const bool begins = at == controllers || at[-1] == ',';
      if (begins && (at[length] == '\0' || at[length] == ',')) return true;
    }
    return false;
  }

  // A container may not see the outer part of a group's path, so groups that do not exist are passed over.
  std::size_t least_upwards(char* path, const Files& files) const {
    std::size_t least = no_limit;
    for (;;) {
      least = std::min(least, left_of_group(path, files));
      char* const last = std::strrchr(path, '/');
      if (last == nullptr) return least;
      *last = '\0';
    }
  }

  std::size_t left_of_group(const char* group, const Files& files) const {
    std::size_t limit = 0, usage = 0, cache = 0;
    if (!read_number(group, files, files.limit, limit) || !read_number(group, files, files.usage, usage)) return no_limit;
    if (read_of(group, files, "memory.stat")) number_after(files.cache, cache);
    usage -= std::min(cache, usage);
    return limit > usage ? limit - usage : 0;
  }

  bool read_of(const char* group, const Files& files, const char* file) const {
    char path[4160];
    const int length = std::snprintf(path, sizeof path, "%s%s/%s", files.mount, group, file);
    return length > 0 && static_cast<std::size_t>(length) < sizeof path && read(path);
  }

  // False if there is no such file, or no limit: version 2 then has the word "max".
  bool read_number(const char* group, const Files& files, const char* file, std::size_t& number) const {
    if (!read_of(group, files, file) || text_[0] < '0' || text_[0] > '9') return false;
    number = std::strtoull(text_, nullptr, 10);
    return true;
  }

  const char* root_;
  mutable char text_[8192];
};

// As it was when hirace first needed memory: before the program could take much.
inline const std::size_t& memory_bytes_at_start() {
  static const std::size_t bytes = ProcessLimits().memory_bytes();
  return bytes;
}

}  // namespace hirace::cpu
