// cub::CachingDeviceAllocator: keeps freed memory for later requests.
#pragma once

#include <map>
#include <mutex>

#include "util_macro.cuh"

namespace cub {

// Kept memory is reused for requests of the same size, on any stream. It does not count as
// freed, so an access to it is not a fault, as on a GPU.
struct CachingDeviceAllocator {
  CachingDeviceAllocator(unsigned int = 8, unsigned int = 3, unsigned int = 7, std::size_t = 6 * 1024 * 1024 - 1, bool = false) {}
  explicit CachingDeviceAllocator(bool, bool = false) {}
  ~CachingDeviceAllocator() { FreeAllCached(); }
  CachingDeviceAllocator(const CachingDeviceAllocator&) = delete;
  CachingDeviceAllocator& operator=(const CachingDeviceAllocator&) = delete;

  template <class T>
  cudaError_t DeviceAllocate(T** pointer, std::size_t bytes, cudaStream_t = 0) {
    const std::lock_guard lock(mutex_);
    void* memory = nullptr;
    const auto found = cached_.find(bytes);
    if (found != cached_.end()) {
      memory = found->second;
      cached_.erase(found);
    } else if (const cudaError_t error = cudaMalloc(&memory, bytes)) {
      return error;
    }
    if (memory != nullptr) sizes_[memory] = bytes;
    *pointer = static_cast<T*>(memory);
    return cudaSuccess;
  }
  template <class T>
  cudaError_t DeviceAllocate(int, T** pointer, std::size_t bytes, cudaStream_t stream = 0) {
    return DeviceAllocate(pointer, bytes, stream);
  }
  cudaError_t DeviceFree(void* pointer) {
    const std::lock_guard lock(mutex_);
    const auto found = sizes_.find(pointer);
    if (found == sizes_.end()) return cudaFree(pointer);
    cached_.insert({found->second, pointer});
    sizes_.erase(found);
    return cudaSuccess;
  }
  cudaError_t DeviceFree(int, void* pointer) { return DeviceFree(pointer); }
  cudaError_t FreeAllCached() {
    const std::lock_guard lock(mutex_);
    for (const auto& entry : cached_) cudaFree(entry.second);
    cached_.clear();
    return cudaSuccess;
  }

 private:
  std::mutex mutex_;
  std::multimap<std::size_t, void*> cached_;  // by size
  std::map<void*, std::size_t> sizes_;        // of memory that is in use
};

}  // namespace cub
