// Clusters of blocks (CUDA C++ Programming Guide, "Cooperative Groups", "Cluster Group"), and the
// intrinsics for them.
//
// Every function that needs a cluster is a template, as hooks/sync.h says.
#pragma once

#include "../cuda/cluster_intrinsics.h"
#include "cooperative_groups.h"

namespace cooperative_groups {

class cluster_group {
 public:
  struct arrival_token {};

  template <class = void>
  static void sync() {
    sync_at(hirace::unknown_site);
  }
  template <class = void>
  static void sync_at(hirace::SiteId site) {
    hirace::cpu::note_use<hirace::ClusterOperation<void>>();
    hirace::cpu::cluster_barrier(site);
  }
  template <class = void>
  static arrival_token barrier_arrive() {
    ::__cluster_barrier_arrive();
    return {};
  }
  template <class = void>
  static void barrier_wait() {
    ::__cluster_barrier_wait();
  }
  template <class = void>
  static void barrier_wait(arrival_token&&) {
    ::__cluster_barrier_wait();
  }

  // The place in the shared memory of the block with this rank that corresponds to `address`.
  template <class T>
  static T* map_shared_rank(T* address, int rank) {
    return static_cast<T*>(::__cluster_map_shared_rank(address, static_cast<unsigned int>(rank)));
  }
  template <class T, unsigned long long Key>
  static T* map_shared_rank(const hirace::cpu::DynamicShared<T, Key>& array, int rank) {
    return map_shared_rank(static_cast<T*>(array), rank);
  }
  template <class = void>
  static unsigned int query_shared_rank(const void* address) {
    return ::__cluster_query_shared_rank(address);
  }

  template <class = void>
  static dim3 block_index() {
    return ::__clusterRelativeBlockIdx();
  }
  template <class = void>
  static unsigned int block_rank() {
    return ::__clusterRelativeBlockRank();
  }
  template <class = void>
  static dim3 dim_blocks() {
    return ::__clusterDim();
  }
  template <class = void>
  static unsigned int num_blocks() {
    return ::__clusterSizeInBlocks();
  }
  template <class = void>
  static dim3 thread_index() {
    const dim3 block = block_index();
    return {block.x * blockDim.x + threadIdx.x, block.y * blockDim.y + threadIdx.y, block.z * blockDim.z + threadIdx.z};
  }
  template <class = void>
  static unsigned int thread_rank() {
    return block_rank() * thread_block::size() + thread_block::thread_rank();
  }
  template <class = void>
  static dim3 dim_threads() {
    const dim3 blocks = dim_blocks();
    return {blocks.x * blockDim.x, blocks.y * blockDim.y, blocks.z * blockDim.z};
  }
  template <class = void>
  static unsigned int num_threads() {
    return num_blocks() * thread_block::size();
  }
  template <class = void>
  static unsigned int size() {
    return num_threads();
  }
};

template <class = void>
cluster_group this_cluster() {
  hirace::cpu::note_use<hirace::ClusterOperation<void>>();
  return {};
}

}  // namespace cooperative_groups
