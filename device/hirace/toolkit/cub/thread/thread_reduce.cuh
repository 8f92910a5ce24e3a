// cub::ThreadReduce: a thread's own items.
#pragma once

#include "thread_operators.cuh"

namespace cub {

template <class T, std::size_t items, class ReductionOp>
T ThreadReduce(const T (&input)[items], ReductionOp op) {
  T result = input[0];
  for (std::size_t i = 1; i < items; ++i) result = op(result, input[i]);
  return result;
}
template <class T, std::size_t items, class ReductionOp, class Prefix>
auto ThreadReduce(const T (&input)[items], ReductionOp op, Prefix prefix) {
  Prefix result = prefix;
  for (const T& item : input) result = op(result, item);
  return result;
}

}  // namespace cub
