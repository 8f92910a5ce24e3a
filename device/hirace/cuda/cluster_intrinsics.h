// CUDA's intrinsics for thread block clusters, and PTX's special registers of the same meaning.
#pragma once

#include <type_traits>

#include "../executor/builtins.h"
#include "../executor/scheduler/cluster_interface.h"
#include "../hooks/sync.h"
#include "intrinsics.h"

// A name that a kernel uses only in clusters. Templates, as hooks/sync.h says.
#define HIRACE_CLUSTER_FUNCTION template <class Group = void>

namespace hirace {

HIRACE_CLUSTER_FUNCTION
void cluster_arrive(SiteId site) {
  backend::note_use<ClusterOperation<Group>>();
  backend::arrive_at_cluster_barrier(site, Order::release);
}
HIRACE_CLUSTER_FUNCTION
void cluster_arrive_relaxed(SiteId site) {
  backend::note_use<ClusterOperation<Group>>();
  backend::arrive_at_cluster_barrier(site, Order::relaxed);
}
HIRACE_CLUSTER_FUNCTION
void cluster_wait(SiteId site) {
  backend::note_use<ClusterOperation<Group>>();
  backend::wait_at_cluster_barrier(site);
}

}  // namespace hirace

HIRACE_CLUSTER_FUNCTION
inline void __cluster_barrier_arrive() {
  hirace::cluster_arrive<Group>(hirace::unknown_site);
}
HIRACE_CLUSTER_FUNCTION
inline void __cluster_barrier_arrive_relaxed() {
  hirace::cluster_arrive_relaxed<Group>(hirace::unknown_site);
}
HIRACE_CLUSTER_FUNCTION
inline void __cluster_barrier_wait() {
  hirace::cluster_wait<Group>(hirace::unknown_site);
}

HIRACE_CLUSTER_FUNCTION
inline dim3 __clusterDim() {
  hirace::cpu::note_use<hirace::ClusterOperation<Group>>();
  return hirace::cpu::cluster_size();
}
HIRACE_CLUSTER_FUNCTION
inline unsigned int __clusterRelativeBlockRank() {
  hirace::cpu::note_use<hirace::ClusterOperation<Group>>();
  return hirace::cpu::cluster_rank();
}
HIRACE_CLUSTER_FUNCTION
inline unsigned int __clusterSizeInBlocks() {
  const dim3 size = __clusterDim<Group>();
  return size.x * size.y * size.z;
}
HIRACE_CLUSTER_FUNCTION
inline bool __clusterDimIsSpecified() {
  return __clusterSizeInBlocks<Group>() != 1;
}
HIRACE_CLUSTER_FUNCTION
inline dim3 __clusterRelativeBlockIdx() {
  const dim3 size = __clusterDim<Group>();
  return {blockIdx.x % size.x, blockIdx.y % size.y, blockIdx.z % size.z};
}
HIRACE_CLUSTER_FUNCTION
inline dim3 __clusterIdx() {
  const dim3 size = __clusterDim<Group>();
  return {blockIdx.x / size.x, blockIdx.y / size.y, blockIdx.z / size.z};
}
HIRACE_CLUSTER_FUNCTION
inline dim3 __clusterGridDimInClusters() {
  const dim3 size = __clusterDim<Group>();
  return {gridDim.x / size.x, gridDim.y / size.y, gridDim.z / size.z};
}

HIRACE_CLUSTER_FUNCTION
inline void* __cluster_map_shared_rank(const void* address, unsigned int rank) {
  hirace::cpu::note_use<hirace::ClusterOperation<Group>>();
  return hirace::cpu::map_shared(address, rank);
}
HIRACE_CLUSTER_FUNCTION
inline unsigned int __cluster_query_shared_rank(const void* address) {
  hirace::cpu::note_use<hirace::ClusterOperation<Group>>();
  return hirace::cpu::rank_of_shared(address);
}

namespace hirace::cpu::ptx {

#define HIRACE_PTX_CLUSTER_REGISTER(name, value) \
  HIRACE_CLUSTER_FUNCTION                        \
  inline std::uint32_t name##_x() {              \
    return ::value<Group>().x;                   \
  }                                              \
  HIRACE_CLUSTER_FUNCTION                        \
  inline std::uint32_t name##_y() {              \
    return ::value<Group>().y;                   \
  }                                              \
  HIRACE_CLUSTER_FUNCTION                        \
  inline std::uint32_t name##_z() {              \
    return ::value<Group>().z;                   \
  }
HIRACE_PTX_CLUSTER_REGISTER(cluster_ctaid, __clusterRelativeBlockIdx)
HIRACE_PTX_CLUSTER_REGISTER(cluster_nctaid, __clusterDim)
HIRACE_PTX_CLUSTER_REGISTER(clusterid, __clusterIdx)
HIRACE_PTX_CLUSTER_REGISTER(nclusterid, __clusterGridDimInClusters)
#undef HIRACE_PTX_CLUSTER_REGISTER

// `mapa` and `getctarank`, of pointers and of addresses in the window of shared memory.
HIRACE_CLUSTER_FUNCTION
inline std::uint64_t map_generic(std::uint64_t address, std::uint32_t rank) {
  return reinterpret_cast<std::uint64_t>(::__cluster_map_shared_rank<Group>(reinterpret_cast<const void*>(address), rank));
}
HIRACE_CLUSTER_FUNCTION
inline std::uint64_t map_shared(std::uint64_t address, std::uint32_t rank) {
  return ::__cvta_generic_to_shared(::__cluster_map_shared_rank<Group>(::__cvta_shared_to_generic(address), rank));
}
HIRACE_CLUSTER_FUNCTION
inline std::uint32_t rank_of_generic(std::uint64_t address) {
  return ::__cluster_query_shared_rank<Group>(reinterpret_cast<const void*>(address));
}
HIRACE_CLUSTER_FUNCTION
inline std::uint32_t rank_of_shared(std::uint64_t address) {
  return ::__cluster_query_shared_rank<Group>(::__cvta_shared_to_generic(address));
}

HIRACE_CLUSTER_FUNCTION
inline std::uint32_t cluster_ctarank() {
  return ::__clusterRelativeBlockRank<Group>();
}
HIRACE_CLUSTER_FUNCTION
inline std::uint32_t cluster_nctarank() {
  return ::__clusterSizeInBlocks<Group>();
}
HIRACE_CLUSTER_FUNCTION
inline bool is_explicit_cluster() {
  return ::__clusterDimIsSpecified<Group>();
}

}  // namespace hirace::cpu::ptx

#undef HIRACE_CLUSTER_FUNCTION
