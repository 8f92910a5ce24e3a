// How much memory this process has had in RAM.
#pragma once

#include <cstdint>
#include <cstdio>

namespace hirace::cpu {

// At its largest; 0 where the system does not say. Not getrusage's figure, which starts from
// what the parent had.
inline std::uint64_t peak_resident_bytes() {
  std::FILE* file = std::fopen("/proc/self/status", "r");
  if (file == nullptr) return 0;
  unsigned long long kibibytes = 0;
  char line[256];
  while (std::fgets(line, sizeof line, file) != nullptr && std::sscanf(line, "VmHWM: %llu", &kibibytes) != 1) {
  }
  std::fclose(file);
  return std::uint64_t{1024} * kibibytes;
}

}  // namespace hirace::cpu
