// Thread block clusters: blocks that run at the same time, wait for one another, and access each
// other's shared memory (CUDA C++ Programming Guide, "Thread Block Clusters", "Distributed Shared
// Memory").
//
// All blocks of a cluster get their shared memory when the first of them starts, and keep it until the
// last one has ended. In programs that use clusters, every block is in one, if only of one block.
#pragma once

#include <cstdint>
#include <map>
#include <memory>

#include "../order/launch_order.h"
#include "block.h"
#include "block_order.h"
#include "block_pool.h"
#include "cluster_interface.h"

namespace hirace::cpu {

// The largest cluster of any device.
constexpr std::uint32_t max_cluster_blocks = 16;

// How a grid is divided into clusters.
class ClusterShape {
 public:
  ClusterShape() = default;
  ClusterShape(const dim3& grid, const dim3& size) : grid_(grid), size_(size) {}

  // Whether CUDA accepts clusters of this size.
  static bool is_valid(const dim3& grid, const dim3& size) {
    const std::uint64_t blocks = std::uint64_t{size.x} * size.y * size.z;
    return blocks != 0 && blocks <= max_cluster_blocks && grid.x % size.x == 0 && grid.y % size.y == 0 && grid.z % size.z == 0;
  }

  const dim3& size() const { return size_; }
  std::uint32_t blocks() const { return size_.x * size_.y * size_.z; }
  // The number of the cluster with a block, and the block's rank in it.
  std::uint64_t cluster_of(std::uint64_t block) const {
    const dim3 at = place(block);
    return linear({at.x / size_.x, at.y / size_.y, at.z / size_.z}, {grid_.x / size_.x, grid_.y / size_.y});
  }
  std::uint32_t rank_of(std::uint64_t block) const {
    const dim3 at = place(block);
    return static_cast<std::uint32_t>(linear({at.x % size_.x, at.y % size_.y, at.z % size_.z}, size_));
  }
  std::uint64_t block_at(std::uint64_t cluster, std::uint32_t rank) const {
    const std::uint64_t across = grid_.x / size_.x, down = grid_.y / size_.y;
    const dim3 first(static_cast<std::uint32_t>(cluster % across * size_.x), static_cast<std::uint32_t>(cluster / across % down * size_.y),
                     static_cast<std::uint32_t>(cluster / across / down * size_.z));
    return linear({first.x + rank % size_.x, first.y + rank / size_.x % size_.y, first.z + rank / size_.x / size_.y}, grid_);
  }

 private:
  dim3 place(std::uint64_t block) const {
    return {static_cast<std::uint32_t>(block % grid_.x), static_cast<std::uint32_t>(block / grid_.x % grid_.y),
            static_cast<std::uint32_t>(block / grid_.x / grid_.y)};
  }
  static std::uint64_t linear(const dim3& at, const dim3& size) { return (std::uint64_t{at.z} * size.y + at.y) * size.x + at.x; }

  dim3 grid_, size_;
};

// The order in which blocks start: cluster by cluster, beginning with a given block.
class ClusterOrder {
 public:
  ClusterOrder() = default;
  ClusterOrder(const ClusterShape& shape, std::uint64_t first, const BlockPermutation& clusters)
      : shape_(shape), clusters_(clusters), first_cluster_(shape.cluster_of(first)), first_rank_(shape.rank_of(first)) {}

  std::uint64_t at(std::uint64_t i) const {
    const std::uint64_t cluster = i < shape_.blocks() ? first_cluster_ : instead_of(clusters_.at(i / shape_.blocks()), first_cluster_, clusters_.at(0));
    const std::uint64_t rank = i % shape_.blocks();
    return shape_.block_at(cluster, static_cast<std::uint32_t>(rank == 0 ? first_rank_ : instead_of(rank, first_rank_, 0)));
  }

 private:
  // The first one has changed places with another.
  static std::uint64_t instead_of(std::uint64_t value, std::uint64_t first, std::uint64_t other) { return value == first ? other : value; }

  ClusterShape shape_;
  BlockPermutation clusters_;
  std::uint64_t first_cluster_ = 0;
  std::uint32_t first_rank_ = 0;
};

struct Cluster {
  enum class Stage : std::uint8_t { waits, runs, ended };

  std::uint32_t size = 0;
  std::uint32_t ended = 0;
  std::uint32_t phase = 0;  // of its barrier
  Block* blocks[max_cluster_blocks] = {};
  Stage stage[max_cluster_blocks] = {};

  // Ends the phase of the barrier once every thread has arrived or exited.
  void complete_phase() {
    for (std::uint32_t rank = 0; rank < size; ++rank) {
      if (stage[rank] == Stage::waits || !blocks[rank]->have_arrived(blocks[rank]->at_cluster)) return;
    }
    if (launch_is_ordered()) order::running->complete(this, phase);
    ++phase;
    for (std::uint32_t rank = 0; rank < size; ++rank) blocks[rank]->at_cluster.clear();
  }
};

// The clusters with a block that runs.
class Clusters {
 public:
  // Whether some cluster has blocks that have not started.
  bool has_unstarted() const { return unstarted_ != 0; }

  // The object of a block that starts; null if there is no memory for its cluster.
  Block* start_block(const ClusterShape& shape, std::uint64_t block, BlockPool& pool, std::size_t dynamic_shared) {
    std::unique_ptr<Cluster>& cluster = clusters_[shape.cluster_of(block)];
    if (cluster == nullptr) cluster = make(shape.blocks());
    const std::uint32_t rank = shape.rank_of(block);
    if (!fill(*cluster, pool, dynamic_shared)) return nullptr;
    cluster->stage[rank] = Cluster::Stage::runs;
    --unstarted_;
    return cluster->blocks[rank];
  }

  // The only block so far turns out to be in a larger cluster. False if there is no memory for it.
  bool widen(const ClusterShape& shape, Block& first, BlockPool& pool, std::size_t dynamic_shared) {
    clusters_.clear();
    std::unique_ptr<Cluster>& cluster = clusters_[shape.cluster_of(first.index)];
    cluster = make(shape.blocks());
    const std::uint32_t rank = shape.rank_of(first.index);
    put(*cluster, rank, first);
    cluster->stage[rank] = Cluster::Stage::runs;
    --unstarted_;
    return fill(*cluster, pool, dynamic_shared);
  }

  // The threads of a block have exited.
  void end_block(const ClusterShape& shape, Block& block, BlockPool& pool) {
    Cluster& cluster = *block.cluster;
    cluster.stage[block.rank] = Cluster::Stage::ended;
    if (++cluster.ended != cluster.size) return;
    for (std::uint32_t rank = 0; rank < cluster.size; ++rank) {
      cluster.blocks[rank]->cluster = nullptr;
      pool.give_back(cluster.blocks[rank]);
    }
    clusters_.erase(shape.cluster_of(block.index));
  }

 private:
  std::unique_ptr<Cluster> make(std::uint32_t size) {
    auto cluster = std::make_unique<Cluster>();
    cluster->size = size;
    unstarted_ += size;
    if (launch_is_ordered()) order::running->begin_barrier(cluster.get());
    return cluster;
  }

  static void put(Cluster& cluster, std::uint32_t rank, Block& block) {
    cluster.blocks[rank] = &block;
    block.cluster = &cluster;
    block.rank = rank;
  }

  // Gives each block its memory. False if there is not enough; a later call may succeed.
  static bool fill(Cluster& cluster, BlockPool& pool, std::size_t dynamic_shared) {
    for (std::uint32_t rank = 0; rank < cluster.size; ++rank) {
      if (cluster.blocks[rank] != nullptr) continue;
      Block* const block = pool.take(dynamic_shared);
      if (block == nullptr) return false;
      put(cluster, rank, *block);
    }
    return true;
  }

  std::map<std::uint64_t, std::unique_ptr<Cluster>> clusters_;
  std::uint64_t unstarted_ = 0;
};

}  // namespace hirace::cpu
