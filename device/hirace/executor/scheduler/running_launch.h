// A launch that is being run.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "../../hooks/launch.h"
#include "block.h"
#include "block_order.h"
#include "../check/monitor.h"
#include "clusters.h"

namespace hirace::cpu {

// One launch, as all its workers see it.
struct Launch {
  const char* kernel;
  SiteId site;
  void* body;
  void (*run)(void* body);  // the worker loop around the body
  dim3 grid, block;
  std::uint64_t blocks;
  std::uint32_t threads;
  std::size_t dynamic_shared;
  bool cooperative;
  bool early;                               // need not wait for a kernel that triggers it
  dim3 cluster;                             // as the launch asks for; the kernel may do so instead
  ClusterShape cluster_shape;
  bool overlaps;                            // other work by the host could run at the same time
  std::uint64_t seed;                       // of this launch; 0: natural order
  BlockPermutation block_order;
  ClusterOrder cluster_order;               // instead, if clusters have several blocks
  std::uint32_t preemption;                 // Block::preemption of its blocks
  std::uint32_t depth;                      // see ChangePoints
  std::uint64_t claim_size;                 // blocks that a worker claims at a time
  const ThreadPlace* order;                 // with a seed, stored twice: blocks begin anywhere in it
  std::atomic<std::uint64_t> next_block{0};
  std::atomic<void*> workspace{nullptr};    // see grid_workspace.h

  // The grid barrier. grid_arrived counts blocks that wait at it; a block that has ended never does, and then the
  // others wait forever, as on a GPU. grid_syncs counts grid barriers passed.
  std::atomic<std::uint64_t> grid_arrived{0};
  std::atomic<std::uint64_t> ended_blocks{0};
  std::atomic<std::uint32_t> grid_syncs{0};
  // The barrier in two halves, with the order engine: threads that have arrived, and phases.
  std::uint64_t halves_arrived = 0;
  std::uint32_t halves_phase = 0;

  // The block that starts at place `i` of the order.
  std::uint64_t block_at(std::uint64_t i) const { return cluster_shape.blocks() > 1 ? cluster_order.at(i) : block_order.at(i); }

  // Divides the grid into clusters of the size `cluster`. The block `first` starts first. Without the
  // functions of clusters, no program can tell them.
  void set_clusters(std::uint64_t first) {
    cluster_shape = ClusterShape(grid, has_clusters ? cluster : dim3());
    cluster_order = ClusterOrder(cluster_shape, first, block_order.of(blocks / cluster_shape.blocks()));
  }

  void arrive_at_grid_barrier() {
    if (grid_arrived.fetch_add(1) + 1 != blocks) return;
    // All threads of the grid wait for this one. Accesses before the barrier belong to a past epoch, unless
    // other grids, which do not pass it, are compared with them.
    if (!launch_is_ordered() || !order::running->extent.is_family) next_epoch();
    if (launch_is_ordered()) order::running->launch_barrier();
    grid_arrived.store(0);
    grid_syncs.fetch_add(1);
  }
};

}  // namespace hirace::cpu
