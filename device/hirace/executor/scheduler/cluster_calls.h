// The definitions of cluster_interface.h.
#pragma once

#include "../check/barrier_clocks.h"
#include "../order/interface.h"
#include "cluster_interface.h"
#include "scheduler.h"

namespace hirace::cpu {

HIRACE_RUNTIME dim3 cluster_size() { return this_worker->launch().cluster_shape.size(); }

HIRACE_RUNTIME std::uint32_t cluster_rank() { return this_worker->block().rank; }

inline void Worker::set_cluster_size(const dim3& size) {
  settle();
  if (launch_->cluster_shape.blocks() > 1 || size.x * size.y * size.z == 1) return;
  if (!ClusterShape::is_valid(launch_->grid, size)) fail_cluster_size(size);
  launch_->cluster = size;
  launch_->set_clusters(block_->index);
  if (!clusters_.widen(launch_->cluster_shape, *block_, blocks_, launch_->dynamic_shared)) fail_cluster_size(size);
  divide_into_clusters(launch_->blocks, launch_->cluster_shape.blocks());
  begin_shared();
  enter_block(block_->index, block_->not_modelled, block_->waits);
  enter_thread(block_->index, current_->thread);
}

HIRACE_RUNTIME void set_cluster_size(const dim3& size) { this_worker->set_cluster_size(size); }

// The state machine does not follow the barrier.
inline void note_cluster_barrier(SiteId site) {
  if (!launch_is_ordered()) record_construct(site, other_construct);
}

HIRACE_RUNTIME void arrive_at_cluster_barrier(SiteId site, Order order) {
  Worker& worker = *this_worker;
  Block& block = worker.block();
  Cluster& cluster = *block.cluster;
  worker.arrive();
  note_cluster_barrier(site);
  order_arrive(&cluster, Scope::device, Copier::none, site, order);
  block.at_cluster.add(worker.fiber().thread);
  cluster.complete_phase();
}

HIRACE_RUNTIME void wait_at_cluster_barrier(SiteId site) {
  Worker& worker = *this_worker;
  Block& block = worker.block();
  Cluster& cluster = *block.cluster;
  // The phase in which the thread has arrived may be over.
  const std::uint32_t phase = block.at_cluster.has(worker.fiber().thread) ? cluster.phase : cluster.phase - 1;
  while (cluster.phase == phase) {
    cluster.complete_phase();
    if (cluster.phase != phase) break;
    // A report of threads that wait forever names this site.
    monitor.site = site;
    wait_for_others();
  }
  order_wait(&cluster, phase, Scope::device);
}

HIRACE_RUNTIME void cluster_barrier(SiteId site) {
  arrive_at_cluster_barrier(site, Order::release);
  wait_at_cluster_barrier(site);
  // All threads of the block have passed it.
  pass_block_barrier();
}

inline bool owns(const Block& block, std::uintptr_t address) {
  return address - reinterpret_cast<std::uintptr_t>(block.shared) < shared_layout().slot_bytes();
}

// The block of the cluster with this address in its shared memory, or null.
inline const Block* owner_of_shared(std::uintptr_t address) {
  const Block& own = this_worker->block();
  if (owns(own, address)) return &own;
  const Cluster& cluster = *own.cluster;
  for (std::uint32_t rank = 0; rank < cluster.size; ++rank) {
    if (owns(*cluster.blocks[rank], address)) return cluster.blocks[rank];
  }
  return nullptr;
}

__attribute__((noinline)) HIRACE_RUNTIME void* map_shared(const void* address, std::uint32_t rank) {
  const Cluster& cluster = *this_worker->block().cluster;
  const Block* const owner = owner_of_shared(reinterpret_cast<std::uintptr_t>(address));
  if (owner == nullptr || rank >= cluster.size) {
    const auto* const return_address = static_cast<const char*>(__builtin_return_address(0));
    fail_at(Fault::illegal_address, unknown_site, reinterpret_cast<std::uintptr_t>(address), return_address - 1);
  }
  return cluster.blocks[rank]->shared + (static_cast<const char*>(address) - owner->shared);
}

HIRACE_RUNTIME std::uint32_t rank_of_shared(const void* address) {
  const Block* const owner = owner_of_shared(reinterpret_cast<std::uintptr_t>(address));
  return owner != nullptr ? owner->rank : cluster_rank();
}

HIRACE_RUNTIME bool find_other_owner(std::uintptr_t address, SharedOwner& owner) {
  const Block& own = this_worker->block();
  const Block* const found = owner_of_shared(address);
  if (found == nullptr || found == &own) return false;
  owner = {found->index, own.cluster->stage[found->rank] == Cluster::Stage::runs};
  return true;
}

}  // namespace hirace::cpu
