// What the configuration says about the checks of this process.
#pragma once

#include "../environment.h"
#include "../order/mixed_access.h"
#include "../order/use.h"
#include "layout.h"

namespace hirace::cpu {

struct Semantics {
  Widths widths = environment_widths();
  bool volatile_is_strong = !environment_is("HIRACE_VOLATILE", "plain");
  bool lockstep_warps = environment_is("HIRACE_WARPS", "lockstep");
  bool shuffles_order = environment_is("HIRACE_SHUFFLES", "order");
  bool tolerates_same_value = environment_is("HIRACE_SAME_VALUE_WRITES", "benign");
  bool predicts = environment_is("HIRACE_PREDICT", "on");
  bool relaxed_loads_acquire = environment_is("HIRACE_ACQUIRE", "relaxed-loads");
};

inline const Semantics semantics;

// Whether the order engine checks the launches of this process. By default, if the program may order
// accesses by anything but barriers of whole blocks and warps, or if writes of one value are no race.
// Asked for the first time when all of its tables of sites are known.
inline bool uses_order_engine() {
  static const bool chosen = environment_is("HIRACE_ENGINE", "clocks"), refused = environment_is("HIRACE_ENGINE", "machine");
  return chosen || (!refused && (semantics.tolerates_same_value || program_orders() || mixes_atomic_and_plain_accesses()));
}

}  // namespace hirace::cpu
