// cub::BlockReduce. Thread 0 gets the result; the others get their own input back.
#pragma once

#include "../../../libraries/cub_operation.h"
#include "../thread/thread_operators.cuh"
#include "../thread/thread_reduce.cuh"

namespace cub {

enum BlockReduceAlgorithm {
  BLOCK_REDUCE_RAKING_COMMUTATIVE_ONLY,
  BLOCK_REDUCE_RAKING,
  BLOCK_REDUCE_WARP_REDUCTIONS,
  BLOCK_REDUCE_WARP_REDUCTIONS_NONDETERMINISTIC
};

template <class T, int block_x, BlockReduceAlgorithm algorithm = BLOCK_REDUCE_WARP_REDUCTIONS, int block_y = 1, int block_z = 1,
          int legacy_architecture = 0>
class BlockReduce : public hirace::cpu::BlockOperation<BlockReduce<T, block_x, algorithm, block_y, block_z, legacy_architecture>,
                                                       block_x * block_y * block_z> {
  using Base = hirace::cpu::BlockOperation<BlockReduce, block_x * block_y * block_z>;

  struct Data : hirace::cpu::BlockData {
    T value;
  };

 public:
  using Base::Base;

  // Reduces the values of the first `num_valid` threads, in the order of the threads.
  template <class ReductionOp>
  T Reduce(T input, ReductionOp op, int num_valid) const {
    Data data;
    data.value = input;
    const auto valid = static_cast<unsigned>(num_valid);
    this->all("cub::BlockReduce", data, [&](auto& operands) {
      T result = operands[0].value;
      for (unsigned i = 1; i < operands.threads && i < valid; ++i) result = op(result, operands[i].value);
      operands[0].value = result;
    }, valid);
    return data.value;
  }
  template <class ReductionOp>
  T Reduce(T input, ReductionOp op) const {
    return Reduce(input, op, block_x * block_y * block_z);
  }
  template <int items, class ReductionOp>
  T Reduce(T (&inputs)[items], ReductionOp op) const {
    return Reduce(T(ThreadReduce(inputs, op)), op);
  }

  T Sum(T input) const { return Reduce(input, cub::Sum()); }
  T Sum(T input, int num_valid) const { return Reduce(input, cub::Sum(), num_valid); }
  template <int items>
  T Sum(T (&inputs)[items]) const {
    return Reduce(inputs, cub::Sum());
  }
};

}  // namespace cub
