// Whether the order engine is needed, and whether it follows the running launch.
//
// It is needed if a program may order accesses by anything but barriers of whole blocks and warps. A
// function that does so calls note_use(). The compiler instantiates `Use` if it compiles such a
// call, which sets a flag before main() starts. So such a function must be a template.
#pragma once

#include <cstddef>
#include <type_traits>

#include "../../hooks/strength.h"
#include "../check/checked_launch.h"

namespace hirace::cpu {

// The program has a construct that only the order engine follows.
inline bool has_ordering_constructs = false;
// One of these does more than to order accesses, or is one: the state machine may miss races. A fence,
// a barrier of some lanes, or an attempt to take a lock, does not.
inline bool has_further_constructs = false;
// One of these uses a cluster.
inline bool has_clusters = false;
// Kernels of the program launch others.
inline bool has_kernel_launches = false;
inline bool has_volatile_accesses = false;
// The sizes of its atomic operations and volatile accesses, as a sum: all are powers of two.
inline std::size_t strong_sizes = 0;

// Strong accesses of different sizes are not morally strong to each other, which the state machine does
// not see.
inline bool has_strong_accesses_of_several_sizes() { return (strong_sizes & (strong_sizes - 1)) != 0; }
inline bool program_orders() { return has_ordering_constructs || has_volatile_accesses || has_strong_accesses_of_several_sizes(); }
// Whether the state machine may miss races of the program. It misses none of volatile accesses, or says so;
// but where a fence comes with them, they are flags, and it would report what they order.
inline bool machine_may_miss() {
  return has_further_constructs || has_strong_accesses_of_several_sizes() || (has_volatile_accesses && has_ordering_constructs);
}

// Whether the order engine checks the running launch; otherwise the state machine does, or nothing.
HIRACE_HOOK bool launch_is_ordered() { return current_launch.ordered; }

template <class Construct>
struct Use {
  static bool note() {
    constexpr bool only_orders = std::is_same_v<Construct, Fence> || std::is_same_v<Construct, PartialWarpBarrier> ||
                                 std::is_same_v<Construct, LockAttempt>;
    // To the state machine, its loads are no accesses that a plain write races with.
    constexpr bool only_accesses = std::is_same_v<Construct, RelaxedObject>;
    has_ordering_constructs = has_ordering_constructs || !only_accesses;
    has_further_constructs = has_further_constructs || !only_orders;
    return true;
  }
  static const bool noted;
};
template <class Group>
struct Use<ClusterOperation<Group>> {
  static bool note() { return has_ordering_constructs = has_further_constructs = has_clusters = true; }
  static const bool noted;
};
template <>
inline bool Use<KernelLaunch>::note() {
  return has_ordering_constructs = has_further_constructs = has_kernel_launches = true;
}
template <std::size_t bytes>
struct Use<AtomicOfSize<bytes>> {
  static bool note() { return (strong_sizes |= bytes) != 0; }
  static const bool noted;
};
template <std::size_t bytes>
struct Use<VolatileOfSize<bytes>> {
  static bool note() { return has_volatile_accesses = (strong_sizes |= bytes) != 0; }
  static const bool noted;
};
template <class Construct>
const bool Use<Construct>::noted = Use<Construct>::note();
template <class Group>
const bool Use<ClusterOperation<Group>>::noted = Use<ClusterOperation<Group>>::note();
template <std::size_t bytes>
const bool Use<AtomicOfSize<bytes>>::noted = Use<AtomicOfSize<bytes>>::note();
template <std::size_t bytes>
const bool Use<VolatileOfSize<bytes>>::noted = Use<VolatileOfSize<bytes>>::note();

template <class Construct>
inline __attribute__((always_inline)) void note_use() {
  static_cast<void>(&Use<Construct>::noted);
}

}  // namespace hirace::cpu
