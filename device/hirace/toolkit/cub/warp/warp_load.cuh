// cub::WarpLoad.
#pragma once

#include "warp_exchange.cuh"

namespace cub {

enum WarpLoadAlgorithm { WARP_LOAD_DIRECT, WARP_LOAD_STRIPED, WARP_LOAD_VECTORIZE, WARP_LOAD_TRANSPOSE };

template <class T, int items, WarpLoadAlgorithm algorithm = WARP_LOAD_DIRECT, int logical_threads = 32, int legacy_architecture = 0>
class WarpLoad
    : public hirace::cpu::WarpOperation<WarpLoad<T, items, algorithm, logical_threads, legacy_architecture>, logical_threads, true> {
  using Base = hirace::cpu::WarpOperation<WarpLoad, logical_threads, true>;
  using Exchange = WarpExchange<T, items, logical_threads>;

 public:
  using Base::Base;

  template <class Iterator>
  void Load(Iterator from, T (&to)[items]) const {
    Load(from, to, detail::all_items);
  }
  template <class Iterator>
  void Load(Iterator from, T (&to)[items], int valid) const {
    const auto rank = static_cast<int>(this->rank());
    if constexpr (algorithm == WARP_LOAD_STRIPED || algorithm == WARP_LOAD_TRANSPOSE) {
      detail::load_items(this->site(), from, to, detail::Striped{rank, logical_threads}, valid);
      if constexpr (algorithm == WARP_LOAD_TRANSPOSE) Exchange(this->markers_, this->site()).StripedToBlocked(to, to);
    } else {
      detail::load_items(this->site(), from, to, detail::blocked(rank, items), valid);
    }
  }
  template <class Iterator, class Default>
  void Load(Iterator from, T (&to)[items], int valid, Default value) const {
    detail::set_items(to, value);
    Load(from, to, valid);
  }
};

}  // namespace cub
