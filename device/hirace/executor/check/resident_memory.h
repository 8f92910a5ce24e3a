// How much memory this process has had in RAM.
#pragma once

#include <cstdint>
#include <cstdio>

namespace hirace::cpu {

// The peak; 0 if the system does not provide it. Not getrusage's figure, which includes the parent's.
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
