// The common parts of CUB's block and warp primitives on the CPU executor.
//
// A primitive's TempStorage holds markers (block_collective.h). The values themselves are passed
// from stack to stack: the last thread to arrive reads and writes the operands of the others.
#pragma once

#include "block_collective.h"
#include "../executor/call_site.h"
#include "../executor/scheduler/warp.h"

namespace hirace::cpu {

// The operands of the lanes of a warp, or of a part of it, by their ranks.
template <class Data>
struct LaneOperands {
  Data* data[warp_lanes];
  std::uint32_t lanes;
  Data& operator[](std::uint32_t i) const { return *data[i]; }
};

template <class Data>
void combine_lanes_in_order(LaneData* const* data, std::uint32_t lanes) {
  LaneOperands<Data> operands;
  operands.lanes = 0;
  for (std::uint32_t rest = lanes; rest != 0; rest &= rest - 1) {
    operands.data[operands.lanes++] = static_cast<Data*>(data[__builtin_ctz(rest)]);
  }
  Data::combine(operands);
}

// The base of a block primitive `Self`.
template <class Self, int count>
class BlockOperation {
 public:
  using TempStorage = Markers<count>;

  // Without storage from the caller: nothing else could use it.
  BlockOperation() = default;
  BlockOperation(TempStorage& storage) : markers_(storage.marker) {}
  // For a part of another primitive's work.
  BlockOperation(std::uint32_t* markers, SiteId site) : markers_(markers), site_(site) {}

  Self at_site(SiteId site) const {
    Self self = static_cast<const Self&>(*this);
    self.site_ = site;
    return self;
  }

 protected:
  static constexpr std::uint32_t block_threads = count;

  static std::uint32_t thread() { return linear_thread(); }
  SiteId site() const { return site_; }

  template <class Data, class Combine>
  void all(const char* name, Data& data, const Combine& combine, std::uint32_t needed = block_threads) const {
    combine_block(site_, name, block_threads, needed, markers_, data, combine);
  }
  // A further step of the same call, which owns the storage until it returns.
  template <class Data, class Combine>
  void all_again(const char* name, Data& data, const Combine& combine) const {
    combine_block(site_, name, block_threads, block_threads, nullptr, data, combine);
  }

  // Applies Data::combine to the operands of the lanes of each warp.
  template <class Data>
  void all_of_warp(Data& data) const {
    const std::uint32_t begin = thread() / warp_lanes * warp_lanes;
    const std::uint32_t lanes = block_threads - begin < warp_lanes ? block_threads - begin : std::uint32_t{warp_lanes};
    if (markers_ != nullptr) mark(AccessKind::write, &markers_[thread()], site_);
    const std::uint32_t mask = lanes == warp_lanes ? ~std::uint32_t{0} : (std::uint32_t{1} << lanes) - 1;
    after_warp_barrier(site_, wait_for_lanes(site_, mask, &data, &combine_lanes_in_order<Data>));
    if (markers_ != nullptr) mark(AccessKind::read, &markers_[begin + (thread() - begin + 1) % lanes], site_);
  }

  std::uint32_t* markers_ = nullptr;
  SiteId site_ = unknown_site;
};

// The base of a primitive of `count` lanes. If that is a power of two, a warp contains several such
// groups, and CUB uses shuffles only: there is no storage to race on. Otherwise the first lanes of
// a warp are the group.
template <class Self, int count, bool always_stores>
class WarpOperation {
  static constexpr bool divides_warp = (count & (count - 1)) == 0;
  static constexpr bool stores = always_stores || !divides_warp;
  struct Nothing {};

 public:
  using TempStorage = std::conditional_t<stores, Markers<count>, Nothing>;

  WarpOperation() = default;
  WarpOperation(TempStorage& storage) {
    if constexpr (stores) markers_ = storage.marker;
    static_cast<void>(storage);
  }
  // For a part of another primitive's work.
  WarpOperation(std::uint32_t* markers, SiteId site) : markers_(markers), site_(site) {}

  Self at_site(SiteId site) const {
    Self self = static_cast<const Self&>(*this);
    self.site_ = site;
    return self;
  }

 protected:
  static_assert(count >= 1 && count <= 32, "hirace: CUB's logical warps have 1 to 32 threads");

  static std::uint32_t rank() { return divides_warp ? current_lane() % count : current_lane(); }
  SiteId site() const { return site_; }

  // The existing lanes of the group.
  static std::uint32_t mask() {
    const std::uint32_t lanes = count == 32 ? ~std::uint32_t{0} : (std::uint32_t{1} << count) - 1;
    const std::uint32_t first = divides_warp ? current_lane() / count * count : 0;
    const std::uint32_t warp = linear_thread() / warp_lanes;
    const std::uint32_t threads = block_threads() - warp * warp_lanes;
    return lanes << first & (threads >= warp_lanes ? ~std::uint32_t{0} : (std::uint32_t{1} << threads) - 1);
  }

  // Applies Data::combine to the operands of all lanes of the group.
  template <class Data>
  void all(Data& data) const {
    std::uint32_t* const markers = markers_;
    if (markers != nullptr) mark(AccessKind::write, &markers[rank()], site_);
    after_warp_barrier(site_, wait_for_lanes(site_, mask(), &data, &combine_lanes_in_order<Data>));
    if (markers != nullptr) mark(AccessKind::read, &markers[(rank() + 1) % count], site_);
  }

  std::uint32_t* markers_ = nullptr;
  SiteId site_ = unknown_site;
};

// Reads and writes of the user's memory in the primitives, at the site of the call.
template <class T>
T& load_at(SiteId site, T* pointer, std::ptrdiff_t index) {
  return site == unchecked_site ? pointer[index] : hirace::copy(site, pointer[index]);
}
template <class Iterator>
decltype(auto) load_at(SiteId, Iterator iterator, std::ptrdiff_t index) {
  return iterator[index];
}
template <class T, class Value>
void store_at(SiteId site, T* pointer, std::ptrdiff_t index, const Value& value) {
  (site == unchecked_site ? pointer[index] : hirace::write(site, pointer[index])) = value;
}
template <class Iterator, class Value>
void store_at(SiteId, Iterator iterator, std::ptrdiff_t index, const Value& value) {
  iterator[index] = value;
}

}  // namespace hirace::cpu
