// cub::WarpReduce. The first lane gets the result; the others get their own input back.
#pragma once

#include "../../../libraries/cub_operation.h"
#include "../thread/thread_reduce.cuh"

namespace cub {

template <class T, int logical_threads = 32, int legacy_architecture = 0>
class WarpReduce : public hirace::cpu::WarpOperation<WarpReduce<T, logical_threads, legacy_architecture>, logical_threads, false> {
  using Base = hirace::cpu::WarpOperation<WarpReduce, logical_threads, false>;

 public:
  using Base::Base;

  template <class ReductionOp>
  T Reduce(T input, ReductionOp op, int valid_items) const {
    auto data = operands(input, op);
    data.valid = static_cast<unsigned>(valid_items);
    this->all(data);
    return data.value;
  }
  template <class ReductionOp>
  T Reduce(T input, ReductionOp op) const {
    return Reduce(input, op, logical_threads);
  }
  template <int items, class ReductionOp>
  T Reduce(T (&inputs)[items], ReductionOp op) const {
    return Reduce(T(ThreadReduce(inputs, op)), op);
  }
  T Sum(T input) const { return Reduce(input, cub::Sum()); }
  T Sum(T input, int valid_items) const { return Reduce(input, cub::Sum(), valid_items); }
  template <int items>
  T Sum(T (&inputs)[items]) const {
    return Reduce(inputs, cub::Sum());
  }
  T Max(T input) const { return Reduce(input, cub::Max()); }
  T Max(T input, int valid_items) const { return Reduce(input, cub::Max(), valid_items); }
  T Min(T input) const { return Reduce(input, cub::Min()); }
  T Min(T input, int valid_items) const { return Reduce(input, cub::Min(), valid_items); }

  // Segments begin or end at flagged lanes; their first lanes get the results.
  template <class ReductionOp, class Flag>
  T HeadSegmentedReduce(T input, Flag head_flag, ReductionOp op) const {
    return segmented(input, static_cast<bool>(head_flag), false, op);
  }
  template <class ReductionOp, class Flag>
  T TailSegmentedReduce(T input, Flag tail_flag, ReductionOp op) const {
    return segmented(input, false, static_cast<bool>(tail_flag), op);
  }
  template <class Flag>
  T HeadSegmentedSum(T input, Flag head_flag) const {
    return HeadSegmentedReduce(input, head_flag, cub::Sum());
  }
  template <class Flag>
  T TailSegmentedSum(T input, Flag tail_flag) const {
    return TailSegmentedReduce(input, tail_flag, cub::Sum());
  }

 private:
  template <class ReductionOp>
  struct Data : hirace::cpu::LaneData {
    T value;
    ReductionOp* op;
    unsigned valid = logical_threads;
    bool segments = false;
    bool begins = false, ends = false;

    static void combine(hirace::cpu::LaneOperands<Data>& operands) {
      if (operands[0].segments) return combine_segments(operands);
      T result = operands[0].value;
      for (unsigned i = 1; i < operands.lanes && i < operands[0].valid; ++i) result = (*operands[0].op)(result, operands[i].value);
      operands[0].value = result;
    }
    // From the last lane backwards, each adds its right neighbour's result within the segment.
    static void combine_segments(hirace::cpu::LaneOperands<Data>& operands) {
      for (unsigned i = operands.lanes - 1; i-- > 0;) {
        const bool joined = !operands[i].ends && !operands[i + 1].begins;
        if (joined) operands[i].value = (*operands[i].op)(operands[i].value, operands[i + 1].value);
      }
    }
  };
  template <class ReductionOp>
  static Data<ReductionOp> operands(const T& input, ReductionOp& op) {
    Data<ReductionOp> data;
    data.value = input;
    data.op = &op;
    return data;
  }
  template <class ReductionOp>
  T segmented(const T& input, bool begins, bool ends, ReductionOp& op) const {
    auto data = operands(input, op);
    data.segments = true;
    data.begins = begins;
    data.ends = ends;
    this->all(data);
    return data.value;
  }
};

}  // namespace cub
