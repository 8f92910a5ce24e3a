// cub::BlockScan.
#pragma once

#include "../../../libraries/cub_operation.h"
#include "../thread/thread_operators.cuh"
#include "../thread/thread_reduce.cuh"

namespace cub {

enum BlockScanAlgorithm { BLOCK_SCAN_RAKING, BLOCK_SCAN_RAKING_MEMOIZE, BLOCK_SCAN_WARP_SCANS };

template <class T, int block_x, BlockScanAlgorithm algorithm = BLOCK_SCAN_RAKING, int block_y = 1, int block_z = 1,
          int legacy_architecture = 0>
class BlockScan : public hirace::cpu::BlockOperation<BlockScan<T, block_x, algorithm, block_y, block_z, legacy_architecture>,
                                                     block_x * block_y * block_z> {
  using Base = hirace::cpu::BlockOperation<BlockScan, block_x * block_y * block_z>;

  struct Data : hirace::cpu::BlockData {
    T value;           // of the thread's own items
    T before;          // of all items before them, if `has_before`
    T aggregate;       // of all items
    bool has_before;
  };
  struct NoCallback {
    T operator()(T) const { return T(); }
  };

 public:
  using Base::Base;

  void ExclusiveSum(T input, T& output) const { ExclusiveScan(input, output, T{}, cub::Sum()); }
  void ExclusiveSum(T input, T& output, T& block_aggregate) const { ExclusiveScan(input, output, T{}, cub::Sum(), block_aggregate); }
  template <class Callback>
  void ExclusiveSum(T input, T& output, Callback& callback) const {
    ExclusiveScan(input, output, cub::Sum(), callback);
  }
  template <int items>
  void ExclusiveSum(T (&input)[items], T (&output)[items]) const {
    ExclusiveScan(input, output, T{}, cub::Sum());
  }
  template <int items>
  void ExclusiveSum(T (&input)[items], T (&output)[items], T& block_aggregate) const {
    ExclusiveScan(input, output, T{}, cub::Sum(), block_aggregate);
  }
  template <int items, class Callback>
  void ExclusiveSum(T (&input)[items], T (&output)[items], Callback& callback) const {
    ExclusiveScan(input, output, cub::Sum(), callback);
  }

  void InclusiveSum(T input, T& output) const { InclusiveScan(input, output, cub::Sum()); }
  void InclusiveSum(T input, T& output, T& block_aggregate) const { InclusiveScan(input, output, cub::Sum(), block_aggregate); }
  template <class Callback>
  void InclusiveSum(T input, T& output, Callback& callback) const {
    InclusiveScan(input, output, cub::Sum(), callback);
  }
  template <int items>
  void InclusiveSum(T (&input)[items], T (&output)[items]) const {
    InclusiveScan(input, output, cub::Sum());
  }
  template <int items>
  void InclusiveSum(T (&input)[items], T (&output)[items], T& block_aggregate) const {
    InclusiveScan(input, output, cub::Sum(), block_aggregate);
  }
  template <int items, class Callback>
  void InclusiveSum(T (&input)[items], T (&output)[items], Callback& callback) const {
    InclusiveScan(input, output, cub::Sum(), callback);
  }

// The overloads of a scan, for one item and for an array of items.
#define HIRACE_CUB_SCANS(name, inclusive, head, in, out, count)                                            \
  template <head class ScanOp>                                                                             \
  void name(in, out, T initial_value, ScanOp scan_op) const {                                              \
    scan<inclusive>(first(input), first(output), count, scan_op, &initial_value);                          \
  }                                                                                                        \
  template <head class ScanOp>                                                                             \
  void name(in, out, T initial_value, ScanOp scan_op, T& block_aggregate) const {                          \
    block_aggregate = scan<inclusive>(first(input), first(output), count, scan_op, &initial_value);        \
  }                                                                                                        \
  template <head class ScanOp>                                                                             \
  void name(in, out, ScanOp scan_op) const {                                                               \
    scan<inclusive>(first(input), first(output), count, scan_op, nullptr);                                 \
  }                                                                                                        \
  template <head class ScanOp>                                                                             \
  void name(in, out, ScanOp scan_op, T& block_aggregate) const {                                           \
    block_aggregate = scan<inclusive>(first(input), first(output), count, scan_op, nullptr);               \
  }                                                                                                        \
  template <head class ScanOp, class Callback>                                                             \
  void name(in, out, ScanOp scan_op, Callback& callback) const {                                           \
    scan<inclusive>(first(input), first(output), count, scan_op, nullptr, &callback);                      \
  }
#define HIRACE_CUB_ITEMS int items,
  HIRACE_CUB_SCANS(ExclusiveScan, false, , T input, T& output, 1)
  HIRACE_CUB_SCANS(ExclusiveScan, false, HIRACE_CUB_ITEMS, T (&input)[items], T (&output)[items], items)
  HIRACE_CUB_SCANS(InclusiveScan, true, , T input, T& output, 1)
  HIRACE_CUB_SCANS(InclusiveScan, true, HIRACE_CUB_ITEMS, T (&input)[items], T (&output)[items], items)
#undef HIRACE_CUB_ITEMS
#undef HIRACE_CUB_SCANS

 private:
  static T* first(T& item) { return &item; }
  template <int items>
  static T* first(T (&array)[items]) {
    return array;
  }

  // Returns the aggregate of all items, without the initial value.
  template <bool inclusive, class ScanOp, class Callback = NoCallback>
  T scan(const T* input, T* output, int count, ScanOp& op, const T* initial, Callback* callback = nullptr) const {
    Data data;
    data.value = input[0];
    for (int i = 1; i < count; ++i) data.value = op(data.value, input[i]);
    if (initial != nullptr) data.before = *initial;
    data.has_before = initial != nullptr;
    this->all("cub::BlockScan", data, [&op](auto& operands) {
      T sum = operands[0].value;
      for (unsigned i = 1; i < operands.threads; ++i) {
        Data& next = operands[i];
        next.before = operands[0].has_before ? T(op(operands[0].before, sum)) : sum;
        next.has_before = true;
        sum = op(sum, next.value);
      }
      for (unsigned i = 0; i < operands.threads; ++i) operands[i].aggregate = sum;
    });
    if (callback != nullptr) add_prefix(data, op, *callback);
    write<inclusive>(data, input, output, count, op);
    return data.aggregate;
  }

  // The first warp calls the callback for the block's prefix; lane 0's result counts.
  template <class ScanOp, class Callback>
  void add_prefix(Data& data, ScanOp& op, Callback& callback) const {
    struct Prefix : hirace::cpu::BlockData {
      T value;
    } prefix;
    if (this->thread() < hirace::warp_lanes) prefix.value = callback(data.aggregate);
    this->all_again("cub::BlockScan", prefix, [](auto& operands) {
      for (unsigned i = 1; i < operands.threads; ++i) operands[i].value = operands[0].value;
    });
    data.before = data.has_before ? T(op(prefix.value, data.before)) : prefix.value;
    data.has_before = true;
  }

  // `input` and `output` may be the same.
  template <bool inclusive, class ScanOp>
  static void write(Data& data, const T* input, T* output, int count, ScanOp& op) {
    T running = data.before;
    bool any = data.has_before;
    for (int i = 0; i < count; ++i) {
      const T item = input[i];
      const T next = any ? T(op(running, item)) : item;
      output[i] = inclusive || !any ? next : running;
      running = next;
      any = true;
    }
  }
};

}  // namespace cub
