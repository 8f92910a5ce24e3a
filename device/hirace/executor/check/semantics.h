// What the configuration says about the checks of this process.
#pragma once

#include <cstring>

#include "../../generated/wire.h"
#include "../../records/site_table.h"
#include "../environment.h"
#include "../order/atomic_uses.h"
#include "../order/engine_use.h"
#include "layout.h"

namespace hirace::cpu {

struct Semantics {
  Widths widths = environment_widths();
  bool volatile_is_strong = !environment_is("HIRACE_VOLATILE", "plain");
  bool lockstep_warps = environment_is("HIRACE_WARPS", "lockstep");
  bool shuffles_order = environment_is("HIRACE_SHUFFLES", "order");
  bool tolerates_same_value = environment_is("HIRACE_SAME_VALUE_WRITES", "benign");
  bool predicts = environment_is("HIRACE_PREDICT", "on");
  bool trusts_parameters = !environment_is("HIRACE_READ_ONLY", "checked");
  bool relaxed_loads_acquire = environment_is("HIRACE_ACQUIRE", "relaxed-loads");
};

inline const Semantics semantics;

// The state machine is to look first, and the order engine to judge what it reports.
inline bool machine_looks_first() {
  static const bool looks_first = environment_is("HIRACE_ENGINE", "machine-first");
  return looks_first;
}

inline bool needs_order_engine(bool all_pairs) { return program_orders() || mixes_atomic_and_plain_accesses(all_pairs); }

// By default, the order engine if the program may order accesses by anything but barriers of whole blocks
// and warps, or if writes of one value are no race. Accesses that race are unordered to the state machine,
// too, so that it can look first, unless there is something that it may miss races of.
inline bool choose_order_engine() {
  if (environment_is("HIRACE_ENGINE", "order")) return true;
  if (environment_is("HIRACE_ENGINE", "machine")) return false;
  if (semantics.tolerates_same_value) return true;
  if (machine_looks_first()) return machine_may_miss();
  return needs_order_engine(false);
}

// Whether the order engine checks the launches of this process. Asked for the first time when all tables
// of sites are known.
inline bool uses_order_engine() {
  static const bool chosen = choose_order_engine();
  return chosen;
}

// Whether the order engine, which was chosen for what the program has, may find out more about a kernel than the
// state machine. Where the machine looks first, the engine judges what it says of atomic operations.
inline bool may_need_order_engine(const char* kernel) {
  static const bool is_wanted = environment_is("HIRACE_ENGINE", "order") || semantics.tolerates_same_value || semantics.shuffles_order;
  static const bool atomics_need_it =
      machine_looks_first() || has_strong_accesses_of_several_sizes() || mixes_atomic_and_plain_accesses(false);
  if (is_wanted) return true;
  const KernelReach reach = SiteTable::instance().reach_of(kernel);
  return reach == KernelReach::anything || (reach == KernelReach::atomics && atomics_need_it);
}

// Whether it checks the launches of a kernel: of all that may need it, unless the state machine has looked first and a
// few were named, one on a line. One engine follows the launch by the host and those by its kernels, its family.
inline bool order_engine_follows(const char* kernel, bool in_family) {
  if (!uses_order_engine()) return false;
  static const char* const judged = environment_text("HIRACE_JUDGED");
  if (judged == nullptr) return in_family || may_need_order_engine(kernel);
  // As records have it.
  const std::size_t length = strnlen(kernel, sizeof KernelEntry::name - 1);
  for (const char* line = judged; line != nullptr;) {
    const char* const end = std::strchr(line, '\n');
    const std::size_t size = end != nullptr ? static_cast<std::size_t>(end - line) : std::strlen(line);
    if (size == length && std::memcmp(line, kernel, length) == 0) return true;
    line = end != nullptr ? end + 1 : nullptr;
  }
  return false;
}

}  // namespace hirace::cpu
