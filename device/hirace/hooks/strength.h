// The properties of an access that the PTX memory model uses besides its address: order, scope, and
// whether it reads or writes (PTX ISA, "Operation Types" and "Scope").
#pragma once

#include "backend.h"

namespace hirace {

// Which threads a strong operation reaches. The scope of a cluster of several blocks counts as that of the device.
enum class Scope : std::uint8_t { block, cluster, device, system };

// Which other accesses an operation orders. Only a weak one is not strong.
enum class Order : std::uint8_t { weak, relaxed, acquire, release, acquire_release };

HIRACE_HOOK constexpr bool acquires(Order order) { return order == Order::acquire || order == Order::acquire_release; }
HIRACE_HOOK constexpr bool releases(Order order) { return order == Order::release || order == Order::acquire_release; }

struct Strength {
  Order order;
  Scope scope;          // of a strong operation
  bool reads, writes;   // both: one atomic operation
  bool returns_value;   // a `red` reads, and returns nothing
};

// Constructs that order accesses by other means than a barrier of a whole block or warp
// (backend::note_use).
struct Fence;
struct PartialWarpBarrier;
struct LockAttempt;
struct StrongAccess;
struct RelaxedObject;
struct BarrierObject;
struct KernelLaunch;  // by a kernel
template <class>
struct ClusterOperation;
template <std::size_t bytes>
struct AtomicOfSize;
template <std::size_t bytes>
struct VolatileOfSize;

HIRACE_HOOK constexpr Strength strong_load(Order order, Scope scope) { return {order, scope, true, false, true}; }
HIRACE_HOOK constexpr Strength strong_store(Order order, Scope scope) { return {order, scope, false, true, false}; }
HIRACE_HOOK constexpr Strength atomic_operation(Order order, Scope scope, bool writes = true) { return {order, scope, true, writes, true}; }
// A `red`: nothing can depend on what it reads.
HIRACE_HOOK constexpr Strength reduction(Order order, Scope scope) { return {order, scope, true, true, false}; }

}  // namespace hirace
