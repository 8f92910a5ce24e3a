// The environment variables by which the `hirace` command controls the program.
//
//   HIRACE_RECORDS      file for the race records (recorder.h)
//   HIRACE_SEED         number of the schedule; 0 (default) is the natural order
//   HIRACE_JOBS         OS threads that run blocks, default one per core, or one if a seed is set
//   HIRACE_BLOCK_ORDER  "natural", "reverse" or "random"; default natural with seed 0, else random
//   HIRACE_DEPTH        the greatest depth of a race that schedules search for, from 1; default 3
//   HIRACE_WIDTHS       bits for thread, block, block clock, warp clock: "10,16,14,10"; 0 = as needed
//   HIRACE_VOLATILE     "strong" (default) or "plain"
//   HIRACE_WARPS        "independent" (default) or "lockstep"
//   HIRACE_INIT_CHECK   "on": a read of unwritten memory is an error, not a warning
//   HIRACE_MEMORY_MIB   the memory that the process may take (memory/process_limits.h)
//   HIRACE_NEEDS        file for what the program asked for and did not get (host/unmet_needs.h)
//   HIRACE_ENGINE       "order", "machine", "machine-first" (check/semantics.h); default "auto"
//   HIRACE_JUDGED       the kernels that the order engine follows, one on a line; default all
//   HIRACE_READ_ONLY    "checked": reads of memory that a launch seems only to read are checked, too
//   HIRACE_TRIAL        the built-in edits that are active (repair_trial.h)
//   HIRACE_MEMBER       which program of the executable runs (batched_programs.h)
#pragma once

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "../checker/shadow.h"

namespace hirace::cpu {

// The value of a variable; null where it is unset or empty.
inline const char* environment_text(const char* name) {
  const char* text = std::getenv(name);
  return text != nullptr && text[0] != '\0' ? text : nullptr;
}

inline std::uint32_t environment_number(const char* name, std::uint32_t unset) {
  const char* text = environment_text(name);
  if (text == nullptr) return unset;
  char* end = nullptr;
  const unsigned long value = std::strtoul(text, &end, 10);
  if (*end != '\0' || value > UINT32_MAX) {
    std::fprintf(stderr, "hirace: failed to read %s: \"%s\" is not a number below 2^32\n", name, text);
    std::exit(2);
  }
  return static_cast<std::uint32_t>(value);
}

inline bool environment_is(const char* name, const char* value) {
  const char* text = environment_text(name);
  return text != nullptr && std::strcmp(text, value) == 0;
}

inline Widths environment_widths() {
  Widths widths{0, 0, 0, 0};
  if (const char* text = environment_text("HIRACE_WIDTHS")) {
    if (std::sscanf(text, "%u,%u,%u,%u", &widths.thread, &widths.block, &widths.block_clock, &widths.warp_clock) != 4) {
      std::fprintf(stderr, "hirace: failed to read HIRACE_WIDTHS: \"%s\" is not four numbers\n", text);
      std::exit(2);
    }
  }
  return widths;
}

}  // namespace hirace::cpu
