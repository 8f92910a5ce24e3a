// What kernels and the checker ask of the running block's cluster; cluster_calls.h has the definitions.
#pragma once

#include <cstdint>

#include "../../cuda/vector_types.h"
#include "../../hooks/site.h"
#include "../../hooks/strength.h"
#include "../order/engine_use.h"

namespace hirace::cpu {

// In blocks.
dim3 cluster_size();
// Of the running block.
std::uint32_t cluster_rank();

// The kernel's `__cluster_dims__`. Its first thread calls this before anything else.
void set_cluster_size(const dim3& size);
inline void cluster_dimensions(unsigned int x = 1, unsigned int y = 1, unsigned int z = 1) {
  if (has_clusters) set_cluster_size({x, y, z});
}

// The barrier of the cluster, in two halves (PTX ISA, "barrier.cluster"). Threads that have exited do not count.
// A relaxed arrival orders nothing.
void arrive_at_cluster_barrier(SiteId site, Order order);
void wait_at_cluster_barrier(SiteId site);
void cluster_barrier(SiteId site);

// The place in the shared memory of the block `rank` that corresponds to one in a block of the cluster.
void* map_shared(const void* address, std::uint32_t rank);
// The rank of the block that an address of shared memory belongs to.
std::uint32_t rank_of_shared(const void* address);

// The block that owns shared memory.
struct SharedOwner {
  std::uint64_t block;
  bool runs;
};
// Of another block of the cluster; false if the address is in none.
bool find_other_owner(std::uintptr_t address, SharedOwner& owner);

}  // namespace hirace::cpu
