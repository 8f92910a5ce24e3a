// cub::WarpStore.
#pragma once

#include "warp_exchange.cuh"

namespace cub {

enum WarpStoreAlgorithm { WARP_STORE_DIRECT, WARP_STORE_STRIPED, WARP_STORE_VECTORIZE, WARP_STORE_TRANSPOSE };

template <class T, int items, WarpStoreAlgorithm algorithm = WARP_STORE_DIRECT, int logical_threads = 32, int legacy_architecture = 0>
class WarpStore
    : public hirace::cpu::WarpOperation<WarpStore<T, items, algorithm, logical_threads, legacy_architecture>, logical_threads, true> {
  using Base = hirace::cpu::WarpOperation<WarpStore, logical_threads, true>;
  using Exchange = WarpExchange<T, items, logical_threads>;

 public:
  using Base::Base;

  template <class Iterator>
  void Store(Iterator to, T (&from)[items]) const {
    Store(to, from, detail::all_items);
  }
  template <class Iterator>
  void Store(Iterator to, T (&from)[items], int valid) const {
    const auto rank = static_cast<int>(this->rank());
    if constexpr (algorithm == WARP_STORE_STRIPED || algorithm == WARP_STORE_TRANSPOSE) {
      if constexpr (algorithm == WARP_STORE_TRANSPOSE) Exchange(this->markers_, this->site()).BlockedToStriped(from, from);
      detail::store_items(this->site(), to, from, detail::Striped{rank, logical_threads}, valid);
    } else {
      detail::store_items(this->site(), to, from, detail::blocked(rank, items), valid);
    }
  }
};

}  // namespace cub
