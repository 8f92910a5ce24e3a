// cub::WarpScan.
#pragma once

#include "../../../libraries/cub_operation.h"
#include "../thread/thread_operators.cuh"

namespace cub {

template <class T, int logical_threads = 32, int legacy_architecture = 0>
class WarpScan : public hirace::cpu::WarpOperation<WarpScan<T, logical_threads, legacy_architecture>, logical_threads, false> {
  using Base = hirace::cpu::WarpOperation<WarpScan, logical_threads, false>;

 public:
  using Base::Base;

  void InclusiveSum(T input, T& output) const { InclusiveScan(input, output, cub::Sum()); }
  void InclusiveSum(T input, T& output, T& aggregate) const { InclusiveScan(input, output, cub::Sum(), aggregate); }
  void ExclusiveSum(T input, T& output) const { ExclusiveScan(input, output, T{}, cub::Sum()); }
  void ExclusiveSum(T input, T& output, T& aggregate) const { ExclusiveScan(input, output, T{}, cub::Sum(), aggregate); }

#define HIRACE_CUB_WARP_SCAN(name, member)                                                  \
  template <class ScanOp>                                                                   \
  void name(T input, T& output, ScanOp op) const {                                          \
    output = scan(input, op, nullptr).member;                                               \
  }                                                                                         \
  template <class ScanOp>                                                                   \
  void name(T input, T& output, ScanOp op, T& aggregate) const {                            \
    const auto data = scan(input, op, nullptr);                                             \
    output = data.member;                                                                   \
    aggregate = data.aggregate;                                                             \
  }                                                                                         \
  template <class ScanOp>                                                                   \
  void name(T input, T& output, T initial_value, ScanOp op) const {                         \
    output = scan(input, op, &initial_value).member;                                        \
  }                                                                                         \
  template <class ScanOp>                                                                   \
  void name(T input, T& output, T initial_value, ScanOp op, T& aggregate) const {           \
    const auto data = scan(input, op, &initial_value);                                      \
    output = data.member;                                                                   \
    aggregate = data.aggregate;                                                             \
  }
  HIRACE_CUB_WARP_SCAN(InclusiveScan, inclusive)
  HIRACE_CUB_WARP_SCAN(ExclusiveScan, exclusive)
#undef HIRACE_CUB_WARP_SCAN

  template <class ScanOp>
  void Scan(T input, T& inclusive_output, T& exclusive_output, ScanOp op) const {
    const auto data = scan(input, op, nullptr);
    inclusive_output = data.inclusive;
    exclusive_output = data.exclusive;
  }
  template <class ScanOp>
  void Scan(T input, T& inclusive_output, T& exclusive_output, T initial_value, ScanOp op) const {
    const auto data = scan(input, op, &initial_value);
    inclusive_output = data.inclusive;
    exclusive_output = data.exclusive;
  }

  T Broadcast(T input, unsigned int source_lane) const {
    struct Data : hirace::cpu::LaneData {
      T value;
      unsigned source;
      static void combine(hirace::cpu::LaneOperands<Data>& operands) {
        const T value = operands[operands[0].source % operands.lanes].value;
        for (unsigned i = 0; i < operands.lanes; ++i) operands[i].value = value;
      }
    } data;
    data.value = input;
    data.source = source_lane;
    this->all(data);
    return data.value;
  }

 private:
  template <class ScanOp>
  struct Data : hirace::cpu::LaneData {
    T value, inclusive, exclusive, aggregate;
    const T* initial;
    ScanOp* op;

    static void combine(hirace::cpu::LaneOperands<Data>& operands) {
      ScanOp& op = *operands[0].op;
      T sum = operands[0].value;
      for (unsigned i = 1; i < operands.lanes; ++i) sum = op(sum, operands[i].value);
      bool any = operands[0].initial != nullptr;
      T running = any ? *operands[0].initial : operands[0].value;
      for (unsigned i = 0; i < operands.lanes; ++i) {
        Data& lane = operands[i];
        lane.aggregate = sum;
        lane.exclusive = running;  // the first lane's is undefined without an initial value
        if (any) running = op(running, lane.value);
        any = true;
        lane.inclusive = running;
      }
    }
  };
  template <class ScanOp>
  Data<ScanOp> scan(const T& input, ScanOp& op, const T* initial) const {
    Data<ScanOp> data;
    data.value = input;
    data.initial = initial;
    data.op = &op;
    this->all(data);
    return data;
  }
};

}  // namespace cub
