// Cooperative groups (CUDA C++ Programming Guide, "Cooperative Groups"): blocks,
// tiles, coalesced threads, and grids launched cooperatively.
//
// Their barriers go through the hooks, so that they order accesses; reports cannot name their site.
//
// A barrier in two halves (barrier_arrive, barrier_wait) orders what comes before the first half before
// what comes after the second one. To the state machine it is not modelled.
#pragma once

#include <type_traits>

#include "../hirace.cuh"

namespace cooperative_groups {

namespace detail {

inline unsigned current_lane() { return hirace::cpu::current_lane(); }
inline unsigned lanes_below() { return (1u << current_lane()) - 1; }

// The lanes of the tile of `size` lanes around the current one.
inline unsigned tile_mask(unsigned size) {
  const unsigned lanes = size >= 32 ? ~0u : (1u << size) - 1;
  return lanes << (current_lane() & ~(size - 1));
}

}  // namespace detail

// The operations of every group; specific kinds of groups have more.
class thread_group {
 public:
  // Templates, as hooks/sync.h says.
  template <class = void>
  void sync() const {
    sync_at(hirace::unknown_site);
  }
  template <class = void>
  void sync_at(hirace::SiteId site) const {
    if (mask_ == 0) {
      hirace::syncthreads(site);
    } else {
      hirace::syncwarp(site, mask_);
    }
  }
  unsigned long long size() const { return size_; }
  unsigned long long num_threads() const { return size_; }
  unsigned long long thread_rank() const {
    return mask_ == 0 ? hirace::cpu::linear_thread() : static_cast<unsigned>(__popc(mask_ & detail::lanes_below()));
  }
  bool is_valid() const { return true; }

 protected:
  thread_group(unsigned mask, unsigned size) : mask_(mask), size_(size) {}
  unsigned mask_;  // lanes of the warp; 0 for the whole block
  unsigned size_;

  friend thread_group tiled_partition(const thread_group& group, unsigned tile_size);
};

class thread_block : public thread_group {
 public:
  using arrival_token = hirace::cpu::BarrierPhase;
  template <class = void>
  static arrival_token barrier_arrive() {
    hirace::cpu::note_use<hirace::BarrierObject>();
    return hirace::cpu::arrive_at_halved_barrier(hirace::unknown_site);
  }
  static void barrier_wait(arrival_token token) { hirace::cpu::wait_at_halved_barrier(token); }
  thread_block() : thread_group(0, blockDim.x * blockDim.y * blockDim.z) {}
  static void sync() { sync_at(hirace::unknown_site); }
  static void sync_at(hirace::SiteId site) { hirace::syncthreads(site); }
  static unsigned thread_rank() { return hirace::cpu::linear_thread(); }
  static unsigned size() { return blockDim.x * blockDim.y * blockDim.z; }
  static unsigned num_threads() { return size(); }
  static dim3 group_index() { return blockIdx; }
  static dim3 thread_index() { return threadIdx; }
  static dim3 group_dim() { return blockDim; }
  static dim3 dim_threads() { return blockDim; }
};

inline thread_block this_thread_block() { return {}; }

template <unsigned Size, class Parent>
class thread_block_tile;

// Collectives of the lanes in a mask; ranks count the lanes of the mask.
class coalesced_group : public thread_group {
 public:
  explicit coalesced_group(unsigned mask, unsigned meta_rank = 0, unsigned meta_size = 1)
      : thread_group(mask, static_cast<unsigned>(__popc(mask))), meta_rank_(meta_rank), meta_size_(meta_size) {}
  template <unsigned Size, class Parent>
  coalesced_group(const thread_block_tile<Size, Parent>& tile)
      : coalesced_group(tile.lanes(), tile.meta_group_rank(), tile.meta_group_size()) {}

  unsigned thread_rank() const { return static_cast<unsigned>(__popc(mask_ & detail::lanes_below())); }
  unsigned size() const { return size_; }
  unsigned num_threads() const { return size_; }
  unsigned meta_group_rank() const { return meta_rank_; }
  unsigned meta_group_size() const { return meta_size_; }

  template <class T>
  T shfl(T value, int rank) const {
    return hirace::shfl_sync(hirace::unknown_site, mask_, value, lane_of(static_cast<unsigned>(rank) % size_));
  }
  template <class T>
  T shfl_up(T value, unsigned delta) const {
    const unsigned rank = thread_rank();
    return shfl(value, static_cast<int>(rank >= delta ? rank - delta : rank));
  }
  template <class T>
  T shfl_down(T value, unsigned delta) const {
    const unsigned rank = thread_rank();
    return shfl(value, static_cast<int>(rank + delta < size_ ? rank + delta : rank));
  }
  int any(int predicate) const { return hirace::any_sync(hirace::unknown_site, mask_, predicate); }
  int all(int predicate) const { return hirace::all_sync(hirace::unknown_site, mask_, predicate); }
  unsigned ballot(int predicate) const { return packed(hirace::ballot_sync(hirace::unknown_site, mask_, predicate)); }
  template <class T>
  unsigned match_any(T value) const {
    return packed(hirace::match_any_sync(hirace::unknown_site, mask_, value));
  }
  template <class T>
  unsigned match_all(T value, int& predicate) const {
    return packed(hirace::match_all_sync(hirace::unknown_site, mask_, value, &predicate));
  }
  unsigned lanes() const { return mask_; }

 private:
  unsigned lane_of(unsigned rank) const { return __fns(mask_, 0, static_cast<int>(rank) + 1); }
  // Maps bits of lanes to bits of ranks.
  unsigned packed(unsigned bits) const {
    unsigned result = 0;
    int rank = 0;
    for (unsigned rest = mask_; rest != 0; rest &= rest - 1) result |= (bits >> __builtin_ctz(rest) & 1) << rank++;
    return result;
  }
  unsigned meta_rank_, meta_size_;
};

// The threads of a warp that reach this call together.
__attribute__((always_inline)) inline coalesced_group coalesced_threads() { return coalesced_group(__activemask()); }

namespace detail {

template <class Parent>
struct ParentSize {
  static unsigned size() { return thread_block::size(); }
};
template <unsigned Size, class Parent>
struct ParentSize<thread_block_tile<Size, Parent>> {
  static unsigned size() { return Size; }
};
template <class Parent>
unsigned parent_size() {
  return ParentSize<Parent>::size();
}

}  // namespace detail

namespace detail {

// What tiles of all sizes have.
template <unsigned Size, class Parent>
class TileRanks {
 public:
  static constexpr unsigned size() { return Size; }
  static constexpr unsigned num_threads() { return Size; }
  static unsigned thread_rank() { return hirace::cpu::linear_thread() % Size; }
  // The rank among the tiles of the parent, which is a tile itself or the block.
  static unsigned meta_group_rank() { return hirace::cpu::linear_thread() % parent_size<Parent>() / Size; }
  static unsigned meta_group_size() { return (parent_size<Parent>() + Size - 1) / Size; }
};

// A tile of lanes of one warp.
template <unsigned Size, class Parent>
class LaneTile : public thread_group, public TileRanks<Size, Parent> {
 public:
  using TileRanks<Size, Parent>::size;
  using TileRanks<Size, Parent>::num_threads;
  using TileRanks<Size, Parent>::thread_rank;

  LaneTile() : thread_group(tile_mask(Size), Size) {}

  void sync() const { sync_at(hirace::unknown_site); }
  void sync_at(hirace::SiteId site) const {
    if constexpr (Size == hirace::warp_lanes) {
      hirace::syncwarp(site);
    } else {
      hirace::syncwarp(site, mask_);
    }
  }

  template <class T>
  T shfl(T value, int rank) const {
    return hirace::shfl_sync(hirace::unknown_site, mask_, value, rank, Size);
  }
  template <class T>
  T shfl_up(T value, unsigned delta) const {
    return hirace::shfl_up_sync(hirace::unknown_site, mask_, value, delta, Size);
  }
  template <class T>
  T shfl_down(T value, unsigned delta) const {
    return hirace::shfl_down_sync(hirace::unknown_site, mask_, value, delta, Size);
  }
  template <class T>
  T shfl_xor(T value, unsigned mask) const {
    return hirace::shfl_xor_sync(hirace::unknown_site, mask_, value, mask, Size);
  }
  int any(int predicate) const { return hirace::any_sync(hirace::unknown_site, mask_, predicate); }
  int all(int predicate) const { return hirace::all_sync(hirace::unknown_site, mask_, predicate); }
  unsigned ballot(int predicate) const { return in_tile(hirace::ballot_sync(hirace::unknown_site, mask_, predicate)); }
  template <class T>
  unsigned match_any(T value) const {
    return in_tile(hirace::match_any_sync(hirace::unknown_site, mask_, value));
  }
  template <class T>
  unsigned match_all(T value, int& predicate) const {
    return in_tile(hirace::match_all_sync(hirace::unknown_site, mask_, value, &predicate));
  }
  unsigned lanes() const { return mask_; }

 private:
  unsigned in_tile(unsigned bits) const { return (bits & mask_) >> (current_lane() & ~(Size - 1)); }
};

// A tile of several warps. Its collectives order no memory accesses.
template <unsigned Size, class Parent>
class WarpsTile : public TileRanks<Size, Parent> {
 public:
  template <class = void>
  void sync() const {
    sync_at(hirace::unknown_site);
  }
  template <class = void>
  void sync_at(hirace::SiteId site) const {
    hirace::cpu::note_use<hirace::BarrierObject>();
    hirace::cpu::tile_barrier(site, Size, true);
  }
  static bool is_valid() { return true; }

  template <class T>
  T shfl(T value, int rank) const {
    T result = value;
    exchange(value, [&] {
      const T* const source = operand<T>(static_cast<unsigned>(rank) % hirace::cpu::tile_threads(Size));
      if (source != nullptr) result = *source;
    });
    return result;
  }
  int any(int predicate) const { return combined(predicate != 0, [](bool a, bool b) { return a || b; }) ? 1 : 0; }
  int all(int predicate) const { return combined(predicate != 0, [](bool a, bool b) { return a && b; }) ? 1 : 0; }

  // The values of all threads, combined in the order of their ranks.
  template <class T, class Operation>
  T combined(T value, const Operation& operation) const {
    T result = value;
    exchange(value, [&] {
      bool first = true;
      for (unsigned rank = 0; rank < hirace::cpu::tile_threads(Size); ++rank) {
        const T* const next = operand<T>(rank);
        if (next == nullptr) continue;
        result = first ? *next : operation(result, *next);
        first = false;
      }
    });
    return result;
  }

 private:
  template <class T>
  static const T* operand(unsigned rank) {
    return static_cast<const T*>(hirace::cpu::operand_of(Size, rank));
  }
  // Calls `take` while the values of all threads can be read.
  template <class T, class Take>
  static void exchange(const T& value, const Take& take) {
    hirace::cpu::leave_operand(&value);
    hirace::cpu::tile_barrier(hirace::unknown_site, Size, false);
    take();
    hirace::cpu::tile_barrier(hirace::unknown_site, Size, false);
  }
};

template <unsigned Size, class Parent>
using Tile = typename ::std::conditional<(Size > 32), WarpsTile<Size, Parent>, LaneTile<Size, Parent>>::type;

}  // namespace detail

template <unsigned Size, class Parent = void>
class thread_block_tile : public detail::Tile<Size, Parent> {
  static_assert(Size >= 1 && Size <= 512 && (Size & (Size - 1)) == 0, "hirace: tiles have 1, 2, 4, …, 256 or 512 threads");

 public:
  thread_block_tile() = default;
  // The same tile, whatever its parent is.
  template <class Other>
  thread_block_tile(const thread_block_tile<Size, Other>&) {}
};

// Tiles of several warps need it on devices of compute capability below 8.0.
template <unsigned MaxBlockSize = 1024>
struct block_tile_memory {
  char unused;
};
template <unsigned MaxBlockSize>
thread_block this_thread_block(block_tile_memory<MaxBlockSize>&) {
  return {};
}

template <unsigned Size, class Parent>
thread_block_tile<Size, Parent> tiled_partition(const Parent&) {
  return {};
}

inline thread_group tiled_partition(const thread_group& group, unsigned tile_size) {
  const unsigned size = tile_size < group.size_ ? tile_size : group.size_;
  return thread_group(group.mask_ == 0 ? detail::tile_mask(tile_size) : detail::tile_mask(tile_size) & group.mask_, size);
}

class grid_group {
 public:
  using arrival_token = hirace::cpu::BarrierPhase;
  template <class = void>
  arrival_token barrier_arrive() const {
    hirace::cpu::note_use<hirace::BarrierObject>();
    return hirace::cpu::arrive_at_halved_grid_barrier();
  }
  void barrier_wait(arrival_token token) const { hirace::cpu::wait_at_halved_grid_barrier(token); }
  void sync() const { sync_at(hirace::unknown_site); }
  void sync_at(hirace::SiteId site) const { hirace::cpu::grid_sync(site); }
  bool is_valid() const { return hirace::cpu::is_cooperative(); }
  unsigned long long size() const { return num_blocks() * thread_block::size(); }
  unsigned long long num_threads() const { return size(); }
  unsigned long long thread_rank() const { return block_rank() * thread_block::size() + thread_block::thread_rank(); }
  unsigned long long num_blocks() const { return static_cast<unsigned long long>(gridDim.x) * gridDim.y * gridDim.z; }
  unsigned long long block_rank() const {
    return (static_cast<unsigned long long>(blockIdx.z) * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
  }
  dim3 block_index() const { return blockIdx; }
  dim3 dim_blocks() const { return gridDim; }
  dim3 group_dim() const { return gridDim; }
};

inline grid_group this_grid() { return {}; }

template <class Group>
void sync(const Group& group) {
  group.sync();
}
template <class Group>
auto thread_rank(const Group& group) {
  return group.thread_rank();
}
template <class Group>
auto group_size(const Group& group) {
  return group.size();
}

}  // namespace cooperative_groups
