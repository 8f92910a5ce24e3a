// The definitions of pool.h.
#pragma once

#include <cstring>
#include <map>

#include "memory.inl.h"
#include "pool.h"
#include "stream_call.h"

struct CUmemPoolHandle_st {
  std::uint64_t used, peak_used, release_threshold;
  int reuse[3];
  std::size_t limit;  // 0: none
};

namespace hirace::cpu {

inline CUmemPoolHandle_st default_pool{0, 0, 0, {1, 1, 1}, 0};
inline cudaMemPool_t current_pool = &default_pool;

// Which pool an allocation came from, for its count.
class PoolTable {
 public:
  void took(cudaMemPool_t pool, const void* pointer, std::size_t bytes) {
    const std::lock_guard lock(mutex_);
    taken_[pointer] = {pool, bytes};
    pool->used += bytes;
    pool->peak_used = std::max(pool->peak_used, pool->used);
  }
  void gave_back(const void* pointer) {
    const std::lock_guard lock(mutex_);
    const auto found = taken_.find(pointer);
    if (found == taken_.end()) return;
    found->second.first->used -= found->second.second;
    taken_.erase(found);
  }

 private:
  std::mutex mutex_;
  std::map<const void*, std::pair<cudaMemPool_t, std::size_t>> taken_;
};
inline PoolTable& pool_table() {
  static PoolTable* const table = new PoolTable;
  return *table;
}

inline cudaError_t allocate_from(const Call& call, cudaMemPool_t pool, void** pointer, std::size_t bytes, cudaStream_t stream,
                                 const void* caller) {
  if (pool == nullptr || pointer == nullptr) return set_error(cudaErrorInvalidValue);
  if (pool->limit != 0 && bytes > pool->limit - pool->used) return set_error(cudaErrorMemoryAllocation);
  if (const cudaError_t error = allocate(pointer, bytes, MemoryKind::device, caller)) return error;
  if (*pointer != nullptr) pool_table().took(pool, *pointer, bytes);
  return submit(stream, cudaGraphNodeTypeMemAlloc, [call, stream, memory = *pointer, bytes] {
    RunningCall(call, stream, WorkKind::allocation).allocates(memory, bytes);
    return cudaSuccess;
  });
}

// The end of memory in a stream. The memory of a graph stays, for its next launch.
inline void end_memory(const Call& call, const void* memory, cudaStream_t stream) {
  Allocation allocation;
  if (!device_heap().find(memory, allocation)) return;
  RunningCall(call, stream, WorkKind::release).releases(memory, allocation.bytes);
}

}  // namespace hirace::cpu

HIRACE_RUNTIME cudaError_t cudaMallocFromPoolAsync(void** pointer, std::size_t bytes, cudaMemPool_t pool, cudaStream_t stream) {
  return hirace::cpu::allocate_from(hirace::cpu::call_of("cudaMallocFromPoolAsync"), pool, pointer, bytes, stream,
                                    __builtin_return_address(0));
}
HIRACE_RUNTIME cudaError_t cudaMallocAsync(void** pointer, std::size_t bytes, cudaStream_t stream) {
  return hirace::cpu::allocate_from(hirace::cpu::call_of("cudaMallocAsync"), hirace::cpu::current_pool, pointer, bytes, stream,
                                    __builtin_return_address(0));
}
HIRACE_RUNTIME cudaError_t cudaFreeAsync(void* pointer, cudaStream_t stream) {
  const hirace::cpu::Call call = hirace::cpu::call_of("cudaFreeAsync");
  const bool stays = hirace::cpu::is_capturing(stream);
  const cudaError_t error = hirace::cpu::submit(stream, cudaGraphNodeTypeMemFree, [=] {
    hirace::cpu::end_memory(call, pointer, stream);
    return cudaSuccess;
  });
  if (stays || error != cudaSuccess) return error;
  hirace::cpu::pool_table().gave_back(pointer);
  return hirace::cpu::release(pointer, false);
}

HIRACE_RUNTIME cudaError_t cudaMemPoolCreate(cudaMemPool_t* pool, const cudaMemPoolProps* properties) {
  if (pool == nullptr || properties == nullptr || properties->allocType != cudaMemAllocationTypePinned) {
    return hirace::cpu::set_error(cudaErrorInvalidValue);
  }
  if (properties->handleTypes != cudaMemHandleTypeNone) {
    return hirace::cpu::not_supported("a memory pool shared with other processes", "use cudaMemHandleTypeNone");
  }
  *pool = new CUmemPoolHandle_st{0, 0, 0, {1, 1, 1}, properties->maxSize};
  return cudaSuccess;
}
HIRACE_RUNTIME cudaError_t cudaMemPoolDestroy(cudaMemPool_t pool) {
  if (pool == nullptr || pool == &hirace::cpu::default_pool) return hirace::cpu::set_error(cudaErrorInvalidValue);
  if (hirace::cpu::current_pool == pool) hirace::cpu::current_pool = &hirace::cpu::default_pool;
  if (pool->used == 0) delete pool;
  return cudaSuccess;
}
HIRACE_RUNTIME cudaError_t cudaMemPoolTrimTo(cudaMemPool_t pool, std::size_t) {
  return pool != nullptr ? cudaSuccess : hirace::cpu::set_error(cudaErrorInvalidValue);
}
HIRACE_RUNTIME cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t* pool, int device) {
  if (pool == nullptr) return hirace::cpu::set_error(cudaErrorInvalidValue);
  if (device != 0) return hirace::cpu::set_error(cudaErrorInvalidDevice);
  *pool = &hirace::cpu::default_pool;
  return cudaSuccess;
}
HIRACE_RUNTIME cudaError_t cudaDeviceGetMemPool(cudaMemPool_t* pool, int device) {
  if (const cudaError_t error = cudaDeviceGetDefaultMemPool(pool, device)) return error;
  *pool = hirace::cpu::current_pool;
  return cudaSuccess;
}
HIRACE_RUNTIME cudaError_t cudaDeviceSetMemPool(int device, cudaMemPool_t pool) {
  if (pool == nullptr || device != 0) return hirace::cpu::set_error(cudaErrorInvalidValue);
  hirace::cpu::current_pool = pool;
  return cudaSuccess;
}
HIRACE_RUNTIME cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t pool, cudaMemPoolAttr attribute, void* value) {
  if (pool == nullptr || value == nullptr) return hirace::cpu::set_error(cudaErrorInvalidValue);
  std::uint64_t number = 0;
  if (attribute >= cudaMemPoolAttrReleaseThreshold) std::memcpy(&number, value, sizeof number);
  switch (attribute) {
    case cudaMemPoolReuseFollowEventDependencies:
    case cudaMemPoolReuseAllowOpportunistic:
    case cudaMemPoolReuseAllowInternalDependencies: std::memcpy(&pool->reuse[attribute - 1], value, sizeof(int)); return cudaSuccess;
    case cudaMemPoolAttrReleaseThreshold: pool->release_threshold = number; return cudaSuccess;
    case cudaMemPoolAttrReservedMemHigh:
    case cudaMemPoolAttrUsedMemHigh:
      if (number != 0) return hirace::cpu::set_error(cudaErrorInvalidValue);
      pool->peak_used = pool->used;
      return cudaSuccess;
    default: return hirace::cpu::set_error(cudaErrorInvalidValue);
  }
}
HIRACE_RUNTIME cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t pool, cudaMemPoolAttr attribute, void* value) {
  if (pool == nullptr || value == nullptr) return hirace::cpu::set_error(cudaErrorInvalidValue);
  std::uint64_t number = 0;
  switch (attribute) {
    case cudaMemPoolReuseFollowEventDependencies:
    case cudaMemPoolReuseAllowOpportunistic:
    case cudaMemPoolReuseAllowInternalDependencies: std::memcpy(value, &pool->reuse[attribute - 1], sizeof(int)); return cudaSuccess;
    case cudaMemPoolAttrReleaseThreshold: number = pool->release_threshold; break;
    case cudaMemPoolAttrReservedMemCurrent:
    case cudaMemPoolAttrUsedMemCurrent: number = pool->used; break;
    case cudaMemPoolAttrReservedMemHigh:
    case cudaMemPoolAttrUsedMemHigh: number = pool->peak_used; break;
    default: return hirace::cpu::set_error(cudaErrorInvalidValue);
  }
  std::memcpy(value, &number, sizeof number);
  return cudaSuccess;
}
HIRACE_RUNTIME cudaError_t cudaMemPoolSetAccess(cudaMemPool_t pool, const cudaMemAccessDesc* descriptions, std::size_t count) {
  return pool != nullptr && (descriptions != nullptr || count == 0) ? cudaSuccess : hirace::cpu::set_error(cudaErrorInvalidValue);
}
HIRACE_RUNTIME cudaError_t cudaMemPoolGetAccess(cudaMemAccessFlags* flags, cudaMemPool_t pool, cudaMemLocation* location) {
  if (flags == nullptr || pool == nullptr || location == nullptr) return hirace::cpu::set_error(cudaErrorInvalidValue);
  *flags = cudaMemAccessFlagsProtReadWrite;
  return cudaSuccess;
}

namespace hirace::cpu {

inline cudaError_t check_managed(const void* pointer, std::size_t bytes) {
  return is_device_range(pointer, bytes) ? cudaSuccess : set_error(cudaErrorInvalidValue);
}

}  // namespace hirace::cpu

HIRACE_RUNTIME cudaError_t cudaMemAdvise(const void* pointer, std::size_t bytes, cudaMemoryAdvise, int) {
  return hirace::cpu::check_managed(pointer, bytes);
}
HIRACE_RUNTIME cudaError_t cudaMemAdvise(const void* pointer, std::size_t bytes, cudaMemoryAdvise, cudaMemLocation) {
  return hirace::cpu::check_managed(pointer, bytes);
}
HIRACE_RUNTIME cudaError_t cudaMemPrefetchAsync(const void* pointer, std::size_t bytes, int, cudaStream_t) {
  return hirace::cpu::check_managed(pointer, bytes);
}
HIRACE_RUNTIME cudaError_t cudaMemPrefetchAsync(const void* pointer, std::size_t bytes, cudaMemLocation, unsigned int, cudaStream_t) {
  return hirace::cpu::check_managed(pointer, bytes);
}
