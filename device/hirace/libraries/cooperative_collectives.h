// Reductions and scans over tiles and coalesced groups (CUDA C++ Programming
// Guide, "Cooperative Groups", "Group Collectives").
#pragma once

#include <atomic>

#include "cooperative_partitions.h"

namespace cooperative_groups {

#define HIRACE_GROUP_OPERATION(name, expression) \
  template <class T>                             \
  struct name {                                  \
    T operator()(T a, T b) const { return expression; } \
  };
HIRACE_GROUP_OPERATION(plus, a + b)
HIRACE_GROUP_OPERATION(less, b < a ? b : a)
HIRACE_GROUP_OPERATION(greater, a < b ? b : a)
HIRACE_GROUP_OPERATION(bit_and, a & b)
HIRACE_GROUP_OPERATION(bit_or, a | b)
HIRACE_GROUP_OPERATION(bit_xor, a ^ b)
#undef HIRACE_GROUP_OPERATION

template <class Group, class T, class Operation>
T reduce(const Group& group, T value, Operation operation) {
  return hirace::reduce_sync(hirace::unknown_site, group.lanes(), value, operation);
}
template <unsigned Size, class Parent, class T, class Operation>
::std::enable_if_t<(Size > 32), T> reduce(const thread_block_tile<Size, Parent>& group, T value, Operation operation) {
  return group.combined(value, operation);
}

template <class Group, class T, class Operation>
T inclusive_scan(const Group& group, T value, Operation operation) {
  return hirace::scan_sync(hirace::unknown_site, group.lanes(), value, operation);
}
template <class Group, class T>
T inclusive_scan(const Group& group, T value) {
  return inclusive_scan(group, value, plus<T>());
}

// The first thread gets T(), as with CUDA's version for known operations.
template <class Group, class T, class Operation>
T exclusive_scan(const Group& group, T value, Operation operation) {
  const T before = group.shfl_up(inclusive_scan(group, value, operation), 1);
  return group.thread_rank() == 0 ? T() : before;
}
template <class Group, class T>
T exclusive_scan(const Group& group, T value) {
  return exclusive_scan(group, value, plus<T>());
}

// Scans that start from the value that one thread of the group reads from an atomic object and adds to it.
template <class Group, class Atomic, class T, class Operation>
T exclusive_scan_update(const Group& group, Atomic& atomic, T value, Operation operation) {
  const T sums = inclusive_scan(group, value, operation);
  const unsigned last = static_cast<unsigned>(group.size()) - 1;
  T before{};
  if (group.thread_rank() == last) {
    before = atomic.load(::std::memory_order_relaxed);
    while (!atomic.compare_exchange_weak(before, operation(before, sums), ::std::memory_order_relaxed)) {
    }
  }
  before = group.shfl(before, static_cast<int>(last));
  const T below = group.shfl_up(sums, 1);
  return group.thread_rank() == 0 ? before : operation(before, below);
}
template <class Group, class Atomic, class T, class Operation>
T inclusive_scan_update(const Group& group, Atomic& atomic, T value, Operation operation) {
  return operation(exclusive_scan_update(group, atomic, value, operation), value);
}
template <class Group, class Atomic, class T>
T inclusive_scan_update(const Group& group, Atomic& atomic, T value) {
  return inclusive_scan_update(group, atomic, value, plus<T>());
}
template <class Group, class Atomic, class T>
T exclusive_scan_update(const Group& group, Atomic& atomic, T value) {
  return exclusive_scan_update(group, atomic, value, plus<T>());
}

}  // namespace cooperative_groups
