// cub::BlockStore. The algorithms that use shared memory have a barrier.
#pragma once

#include "block_exchange.cuh"

namespace cub {

enum BlockStoreAlgorithm {
  BLOCK_STORE_DIRECT,
  BLOCK_STORE_STRIPED,
  BLOCK_STORE_VECTORIZE,
  BLOCK_STORE_TRANSPOSE,
  BLOCK_STORE_WARP_TRANSPOSE,
  BLOCK_STORE_WARP_TRANSPOSE_TIMESLICED
};

template <class T, int block_x, int items, BlockStoreAlgorithm algorithm = BLOCK_STORE_DIRECT, int block_y = 1, int block_z = 1,
          int legacy_architecture = 0>
class BlockStore
    : public hirace::cpu::BlockOperation<BlockStore<T, block_x, items, algorithm, block_y, block_z, legacy_architecture>,
                                         block_x * block_y * block_z> {
  static constexpr int threads = block_x * block_y * block_z;
  using Base = hirace::cpu::BlockOperation<BlockStore, threads>;

 public:
  using Base::Base;

  template <class Iterator>
  void Store(Iterator to, T (&from)[items]) const {
    Store(to, from, detail::all_items);
  }
  template <class Iterator>
  void Store(Iterator to, T (&from)[items], int valid) const {
    const auto thread = static_cast<int>(this->thread());
    if constexpr (algorithm == BLOCK_STORE_STRIPED) {
      detail::store_items(this->site(), to, from, detail::Striped{thread, threads}, valid);
    } else if constexpr (algorithm == BLOCK_STORE_TRANSPOSE) {
      exchange().BlockedToStriped(from);
      detail::store_items(this->site(), to, from, detail::Striped{thread, threads}, valid);
    } else if constexpr (algorithm >= BLOCK_STORE_WARP_TRANSPOSE) {
      exchange().BlockedToWarpStriped(from);
      detail::store_items(this->site(), to, from, detail::warp_striped(thread, items), valid);
    } else {
      detail::store_items(this->site(), to, from, detail::blocked(thread, items), valid);
    }
  }

 private:
  using Exchange = BlockExchange<T, block_x, items, false, block_y, block_z>;
  Exchange exchange() const { return Exchange(this->markers_, this->site()); }
};

}  // namespace cub
