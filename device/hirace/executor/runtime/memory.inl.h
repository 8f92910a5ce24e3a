// The definitions of memory.h.
#pragma once

#include <algorithm>
#include <mutex>
#include <vector>

#include "../memory/device_heap.h"
#include "../memory/device_section.h"
#include "../memory/host_guard.h"
#include "stream_work.h"
#include "error.inl.h"
#include "memory.h"

namespace hirace::cpu {

// Variables whose address the program requested: memory outside the heap that a device may still use.
class KnownRanges {
 public:
  void add(const void* begin, std::size_t bytes) {
    const std::lock_guard lock(mutex_);
    ranges_.push_back({static_cast<const char*>(begin), bytes});
  }
  void remove(const void* begin) {
    const std::lock_guard lock(mutex_);
    const auto found = std::find_if(ranges_.begin(), ranges_.end(), [&](const Range& it) { return it.begin == begin; });
    if (found != ranges_.end()) ranges_.erase(found);
  }
  bool contains(const void* pointer, std::size_t bytes) {
    const std::lock_guard lock(mutex_);
    const auto* const begin = static_cast<const char*>(pointer);
    for (const Range& range : ranges_) {
      if (begin >= range.begin && begin + bytes <= range.begin + range.bytes) return true;
    }
    return false;
  }

 private:
  struct Range {
    const char* begin;
    std::size_t bytes;
  };
  std::mutex mutex_;
  std::vector<Range> ranges_;
};

inline KnownRanges& symbol_ranges() {
  static KnownRanges* const ranges = new KnownRanges;
  return *ranges;
}

HIRACE_RUNTIME bool is_device_range(const void* pointer, std::size_t bytes) {
  Allocation allocation;
  const auto address = reinterpret_cast<std::uintptr_t>(pointer);
  if (arena().contains(address)) {
    return device_heap().find(pointer, allocation) && bytes <= allocation.begin + allocation.bytes - address;
  }
  const auto* const begin = static_cast<const char*>(pointer);
  if (begin >= device_section_begin() && begin < device_section_end()) {
    return bytes <= static_cast<std::size_t>(device_section_end() - begin);
  }
  return symbol_ranges().contains(pointer, bytes) || registered_memory().contains(pointer, bytes);
}

// Whether a range is in memory that a copy may treat as the host's.
inline bool is_host_range(const void* pointer, std::size_t bytes) {
  if (pointer == nullptr) return false;
  if (!arena().contains(reinterpret_cast<std::uintptr_t>(pointer))) return true;
  Allocation allocation;
  return device_heap().find(pointer, allocation) && allocation.kind != MemoryKind::device &&
         bytes <= allocation.begin + allocation.bytes - reinterpret_cast<std::uintptr_t>(pointer);
}

inline cudaError_t allocate(void** pointer, std::size_t bytes, MemoryKind kind, const void* caller = nullptr) {
  if (pointer == nullptr) return set_error(cudaErrorInvalidValue);
  *pointer = nullptr;
  if (bytes == 0) return kind == MemoryKind::managed ? set_error(cudaErrorInvalidValue) : cudaSuccess;
  const DeviceAllocation allocation;
  *pointer = device_heap().allocate(bytes, kind, caller);
  return *pointer != nullptr ? cudaSuccess : set_error(cudaErrorMemoryAllocation);
}

// Memory of cudaMallocAsync() may be freed by cudaFree(), which waits for everything.
inline void forget_stream_allocation(const void* pointer) {
  const std::lock_guard lock(launches_and_calls);
  stream_allocations().remove(reinterpret_cast<std::uintptr_t>(pointer));
}

inline cudaError_t release(void* pointer, bool host) {
  if (pointer == nullptr) return cudaSuccess;
  Allocation allocation;
  const bool known = device_heap().find(pointer, allocation) && (allocation.kind == MemoryKind::host) == host;
  if (!known || !device_heap().release(pointer)) return set_error(cudaErrorInvalidValue);
  return cudaSuccess;
}

}  // namespace hirace::cpu

HIRACE_RUNTIME cudaError_t cudaMalloc(void** pointer, std::size_t bytes) {
  return hirace::cpu::allocate(pointer, bytes, hirace::cpu::MemoryKind::device, __builtin_return_address(0));
}
HIRACE_RUNTIME cudaError_t cudaFree(void* pointer) {
  hirace::cpu::stream_order().host_waits_for_all();
  hirace::cpu::forget_stream_allocation(pointer);
  return hirace::cpu::release(pointer, false);
}

HIRACE_RUNTIME cudaError_t cudaMallocManaged(void** pointer, std::size_t bytes, unsigned int) {
  return hirace::cpu::allocate(pointer, bytes, hirace::cpu::MemoryKind::managed, __builtin_return_address(0));
}
HIRACE_RUNTIME cudaError_t cudaHostAlloc(void** pointer, std::size_t bytes, unsigned int) {
  return hirace::cpu::allocate(pointer, bytes, hirace::cpu::MemoryKind::host, __builtin_return_address(0));
}
HIRACE_RUNTIME cudaError_t cudaMallocHost(void** pointer, std::size_t bytes, unsigned int) {
  return hirace::cpu::allocate(pointer, bytes, hirace::cpu::MemoryKind::host, __builtin_return_address(0));
}
HIRACE_RUNTIME cudaError_t cudaFreeHost(void* pointer) {
  hirace::cpu::stream_order().host_waits_for_all();
  return hirace::cpu::release(pointer, true);
}

HIRACE_RUNTIME cudaError_t cudaHostGetDevicePointer(void** device, void* host, unsigned int) {
  if (device == nullptr || !hirace::cpu::is_device_range(host, 1)) return hirace::cpu::set_error(cudaErrorInvalidValue);
  *device = host;
  return cudaSuccess;
}
HIRACE_RUNTIME cudaError_t cudaHostGetFlags(unsigned int* flags, void* host) {
  if (flags == nullptr || !hirace::cpu::is_device_range(host, 1)) return hirace::cpu::set_error(cudaErrorInvalidValue);
  *flags = cudaHostAllocMapped;
  return cudaSuccess;
}
HIRACE_RUNTIME cudaError_t cudaHostRegister(void* host, std::size_t bytes, unsigned int) {
  if (host == nullptr || bytes == 0) return hirace::cpu::set_error(cudaErrorInvalidValue);
  // Kernels that run keep the memory that they have.
  const std::lock_guard lock(hirace::cpu::launches_and_calls);
  const bool fresh = hirace::cpu::registered_memory().add(reinterpret_cast<std::uintptr_t>(host), bytes, hirace::cpu::shadow_memory().registered_bytes());
  return fresh ? cudaSuccess : hirace::cpu::set_error(cudaErrorHostMemoryAlreadyRegistered);
}
HIRACE_RUNTIME cudaError_t cudaHostUnregister(void* host) {
  const std::lock_guard lock(hirace::cpu::launches_and_calls);
  hirace::cpu::RegisteredMemory::Range range;
  if (!hirace::cpu::registered_memory().remove(reinterpret_cast<std::uintptr_t>(host), range)) {
    return hirace::cpu::set_error(cudaErrorHostMemoryNotRegistered);
  }
  const hirace::cpu::Granule first = hirace::cpu::shadow_memory().registered_granule(range, range.begin);
  if (first != hirace::cpu::ShadowMemory::no_granule) hirace::cpu::launch_accesses().forget_granules(first, range.bytes() / hirace::granule_bytes + 2);
  return cudaSuccess;
}
HIRACE_RUNTIME cudaError_t cudaMallocPitch(void** pointer, std::size_t* pitch, std::size_t width, std::size_t height) {
  constexpr std::size_t row_alignment = 512;
  if (pitch == nullptr) return hirace::cpu::set_error(cudaErrorInvalidValue);
  *pitch = hirace::cpu::round_up(width, row_alignment);
  return hirace::cpu::allocate(pointer, *pitch * height, hirace::cpu::MemoryKind::device, __builtin_return_address(0));
}

HIRACE_RUNTIME cudaError_t cudaMemGetInfo(std::size_t* free, std::size_t* total) {
  if (free == nullptr || total == nullptr) return hirace::cpu::set_error(cudaErrorInvalidValue);
  *free = hirace::cpu::device_heap().free_bytes();
  *total = hirace::cpu::device_heap().total_bytes();
  return cudaSuccess;
}

HIRACE_RUNTIME cudaError_t cudaPointerGetAttributes(cudaPointerAttributes* attributes, const void* pointer) {
  using hirace::cpu::MemoryKind;
  if (attributes == nullptr) return hirace::cpu::set_error(cudaErrorInvalidValue);
  hirace::cpu::Allocation allocation;
  void* const plain = const_cast<void*>(pointer);
  if (hirace::cpu::device_heap().find(pointer, allocation)) {
    const bool device = allocation.kind == MemoryKind::device;
    const cudaMemoryType type = device                                     ? cudaMemoryTypeDevice
                                : allocation.kind == MemoryKind::managed ? cudaMemoryTypeManaged
                                                                           : cudaMemoryTypeHost;
    *attributes = {type, 0, plain, device ? nullptr : plain};
  } else if (hirace::cpu::registered_memory().is_hosts(pointer)) {
    *attributes = {cudaMemoryTypeHost, 0, plain, plain};
  } else if (hirace::cpu::is_device_range(pointer, 1)) {
    *attributes = {cudaMemoryTypeDevice, 0, plain, nullptr};
  } else {
    *attributes = {cudaMemoryTypeUnregistered, -2, nullptr, plain};
  }
  return cudaSuccess;
}
