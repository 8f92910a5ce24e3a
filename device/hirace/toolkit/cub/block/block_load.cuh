// cub::BlockLoad. The algorithms that use shared memory have a barrier.
#pragma once

#include "block_exchange.cuh"

namespace cub {

enum BlockLoadAlgorithm {
  BLOCK_LOAD_DIRECT,
  BLOCK_LOAD_STRIPED,
  BLOCK_LOAD_VECTORIZE,
  BLOCK_LOAD_TRANSPOSE,
  BLOCK_LOAD_WARP_TRANSPOSE,
  BLOCK_LOAD_WARP_TRANSPOSE_TIMESLICED
};

template <class T, int block_x, int items, BlockLoadAlgorithm algorithm = BLOCK_LOAD_DIRECT, int block_y = 1, int block_z = 1,
          int legacy_architecture = 0>
class BlockLoad
    : public hirace::cpu::BlockOperation<BlockLoad<T, block_x, items, algorithm, block_y, block_z, legacy_architecture>,
                                         block_x * block_y * block_z> {
  static constexpr int threads = block_x * block_y * block_z;
  using Base = hirace::cpu::BlockOperation<BlockLoad, threads>;

 public:
  using Base::Base;

  template <class Iterator>
  void Load(Iterator from, T (&to)[items]) const {
    Load(from, to, detail::all_items);
  }
  template <class Iterator>
  void Load(Iterator from, T (&to)[items], int valid) const {
    const auto thread = static_cast<int>(this->thread());
    if constexpr (algorithm == BLOCK_LOAD_STRIPED) {
      detail::load_items(this->site(), from, to, detail::Striped{thread, threads}, valid);
    } else if constexpr (algorithm == BLOCK_LOAD_TRANSPOSE) {
      detail::load_items(this->site(), from, to, detail::Striped{thread, threads}, valid);
      exchange().StripedToBlocked(to);
    } else if constexpr (algorithm >= BLOCK_LOAD_WARP_TRANSPOSE) {
      detail::load_items(this->site(), from, to, detail::warp_striped(thread, items), valid);
      exchange().WarpStripedToBlocked(to);
    } else {
      detail::load_items(this->site(), from, to, detail::blocked(thread, items), valid);
    }
  }
  template <class Iterator, class Default>
  void Load(Iterator from, T (&to)[items], int valid, Default value) const {
    detail::set_items(to, value);
    Load(from, to, valid);
  }

 private:
  using Exchange = BlockExchange<T, block_x, items, false, block_y, block_z>;
  Exchange exchange() const { return Exchange(this->markers_, this->site()); }
};

}  // namespace cub
