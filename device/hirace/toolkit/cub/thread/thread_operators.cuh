// CUB's function objects.
#pragma once

#include "../util_type.cuh"

namespace cub {

#define HIRACE_CUB_OPERATOR(name, result, expression)         \
  struct name {                                               \
    template <class Left, class Right>                        \
    constexpr result operator()(Left&& a, Right&& b) const {  \
      return expression;                                      \
    }                                                         \
  };
HIRACE_CUB_OPERATOR(Equality, bool, a == b)
HIRACE_CUB_OPERATOR(Inequality, bool, a != b)
HIRACE_CUB_OPERATOR(Sum, auto, a + b)
HIRACE_CUB_OPERATOR(Difference, auto, a - b)
HIRACE_CUB_OPERATOR(Division, auto, a / b)
HIRACE_CUB_OPERATOR(Max, auto, (b > a) ? b : a)
HIRACE_CUB_OPERATOR(Min, auto, (b < a) ? b : a)
#undef HIRACE_CUB_OPERATOR

template <class EqualityOp>
struct InequalityWrapper {
  EqualityOp op;
  InequalityWrapper(EqualityOp equality) : op(equality) {}
  template <class T>
  bool operator()(const T& a, const T& b) { return !op(a, b); }
};

// Compares pairs of position and value; of equal values, the first position wins.
struct ArgMax {
  template <class Pair>
  Pair operator()(const Pair& a, const Pair& b) const {
    return b.value > a.value || (a.value == b.value && b.key < a.key) ? b : a;
  }
};
struct ArgMin {
  template <class Pair>
  Pair operator()(const Pair& a, const Pair& b) const {
    return b.value < a.value || (a.value == b.value && b.key < a.key) ? b : a;
  }
};

template <class Result>
struct CastOp {
  template <class Value>
  Result operator()(Value&& value) const { return static_cast<Result>(value); }
};

// Applies an operation with its operands exchanged.
template <class ScanOp>
struct SwizzleScanOp {
  ScanOp scan_op;
  SwizzleScanOp(ScanOp operation) : scan_op(operation) {}
  template <class T>
  T operator()(const T& a, const T& b) {
    T left(b), right(a);
    return scan_op(left, right);
  }
};

// Reduces runs. Operands are pairs of a flag that marks the start of a run, and a value.
template <class ReductionOp>
struct ReduceBySegmentOp {
  ReductionOp op;
  ReduceBySegmentOp() = default;
  ReduceBySegmentOp(ReductionOp operation) : op(operation) {}
  template <class Pair>
  Pair operator()(const Pair& first, const Pair& second) {
    Pair result;
    result.key = first.key + second.key;
    result.value = second.key ? second.value : op(first.value, second.value);
    return result;
  }
};
template <class ReductionOp>
struct ReduceByKeyOp {
  ReductionOp op;
  ReduceByKeyOp() = default;
  ReduceByKeyOp(ReductionOp operation) : op(operation) {}
  template <class Pair>
  Pair operator()(const Pair& first, const Pair& second) {
    Pair result = second;
    if (first.key == second.key) result.value = op(first.value, second.value);
    return result;
  }
};

}  // namespace cub
