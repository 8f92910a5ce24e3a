// CUB's sequential scans of a thread's own items.
#pragma once

#include "thread_operators.cuh"

namespace cub {

template <int items, class T, class ScanOp>
T ThreadScanInclusive(T (&input)[items], T (&output)[items], ScanOp op) {
  T running = output[0] = input[0];
  for (int i = 1; i < items; ++i) output[i] = running = op(running, input[i]);
  return running;
}
template <int items, class T, class ScanOp>
T ThreadScanExclusive(T (&input)[items], T (&output)[items], ScanOp op, T prefix) {
  for (int i = 0; i < items; ++i) {
    const T next = op(prefix, input[i]);
    output[i] = prefix;
    prefix = next;
  }
  return prefix;
}

}  // namespace cub
