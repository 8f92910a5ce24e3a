// How far a launch is, for those who watch the terminal.
#pragma once

#include "monitor.h"

namespace hirace::cpu {

// Adds what this OS thread has counted in a long launch to the record, where the command reads how far the program is.
inline void count_progress() {
  constexpr std::uint64_t step = std::uint64_t{1} << 20;
  const std::uint64_t accesses = monitor.checked_accesses();
  if (accesses < step) return;
  recorder().count_accesses(current_launch.kernel, accesses);
  monitor.granted -= accesses;
}

}  // namespace hirace::cpu
