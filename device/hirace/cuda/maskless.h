// The warp functions without a mask, which CUDA has removed for devices of compute capability 7.0 and later:
// __shfl, __any and so on. The lanes that reach one together participate, as they did on older devices.
//
// An instrumented call is hirace::converged_shfl(SITE, value, lane).
#pragma once

#include "../hooks/sync.h"
#include "../executor/scheduler/warp.h"

#define HIRACE_MASKLESS_SHUFFLE(name)                                                                \
  namespace hirace {                                                                                 \
  template <class T, class Lane>                                                                     \
  T converged_##name(SiteId site, T value, Lane lane, int width = int{warp_lanes}) {                 \
    return name##_sync(site, cpu::converged_lanes(site), value, lane, width);                        \
  }                                                                                                  \
  }                                                                                                  \
  template <class T, class Lane>                                                                     \
  inline T __##name(T value, Lane lane, int width = int{hirace::warp_lanes}) {                       \
    return hirace::converged_##name(hirace::unknown_site, value, lane, width);                       \
  }
HIRACE_MASKLESS_SHUFFLE(shfl)
HIRACE_MASKLESS_SHUFFLE(shfl_up)
HIRACE_MASKLESS_SHUFFLE(shfl_down)
HIRACE_MASKLESS_SHUFFLE(shfl_xor)
#undef HIRACE_MASKLESS_SHUFFLE

// Templates, so that a program's own function of the name is preferred.
#define HIRACE_MASKLESS_VOTE(type, name)                                                             \
  namespace hirace {                                                                                 \
  inline type converged_##name(SiteId site, int predicate) {                                         \
    return name##_sync(site, cpu::converged_lanes(site), predicate);                                 \
  }                                                                                                  \
  }                                                                                                  \
  template <class Predicate>                                                                         \
  inline type __##name(Predicate predicate) {                                                        \
    return hirace::converged_##name(hirace::unknown_site, static_cast<int>(predicate));              \
  }
HIRACE_MASKLESS_VOTE(int, any)
HIRACE_MASKLESS_VOTE(int, all)
HIRACE_MASKLESS_VOTE(unsigned, ballot)
#undef HIRACE_MASKLESS_VOTE
