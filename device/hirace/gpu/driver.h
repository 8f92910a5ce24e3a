// The driver's virtual memory management, for which the CUDA runtime has no functions (CUDA Driver
// API, "Virtual Memory Management"). The runtime looks up the driver's functions at run time, so
// programs need not be linked with the driver.
#pragma once

#include <cudaTypedefs.h>

#include "cuda_call.h"

namespace hirace::gpu {

// A driver function with its interface of CUDA `version`; null if there is none.
template <class Function>
Function driver_function(const char* name, unsigned version) {
  void* found = nullptr;
  const cudaError_t error = quietly([&] {
#if CUDART_VERSION >= 12050
    return ::cudaGetDriverEntryPointByVersion(name, &found, version, cudaEnableDefault);
#else
    static_cast<void>(version);
    return ::cudaGetDriverEntryPoint(name, &found, cudaEnableDefault);
#endif
  });
  return error == cudaSuccess ? reinterpret_cast<Function>(found) : nullptr;
}

// Reserved device addresses, and physical memory to map there.
class VirtualMemory {
 public:
  using Handle = CUmemGenericAllocationHandle;

  // False if the device or its driver does not support this, or if its mapping size does not divide
  // `unit` bytes.
  bool open(int device, std::size_t unit) {
    location_.type = CU_MEM_LOCATION_TYPE_DEVICE;
    location_.id = device;
    const auto attribute = driver_function<PFN_cuDeviceGetAttribute_v2000>("cuDeviceGetAttribute", 2000);
    const auto granularity_of =
        driver_function<PFN_cuMemGetAllocationGranularity_v10020>("cuMemGetAllocationGranularity", 10020);
    reserve_ = driver_function<PFN_cuMemAddressReserve_v10020>("cuMemAddressReserve", 10020);
    free_ = driver_function<PFN_cuMemAddressFree_v10020>("cuMemAddressFree", 10020);
    create_ = driver_function<PFN_cuMemCreate_v10020>("cuMemCreate", 10020);
    release_ = driver_function<PFN_cuMemRelease_v10020>("cuMemRelease", 10020);
    map_ = driver_function<PFN_cuMemMap_v10020>("cuMemMap", 10020);
    unmap_ = driver_function<PFN_cuMemUnmap_v10020>("cuMemUnmap", 10020);
    set_access_ = driver_function<PFN_cuMemSetAccess_v10020>("cuMemSetAccess", 10020);
    if (attribute == nullptr || granularity_of == nullptr || reserve_ == nullptr || free_ == nullptr || create_ == nullptr ||
        release_ == nullptr || map_ == nullptr || unmap_ == nullptr || set_access_ == nullptr) {
      return false;
    }
    int supported = 0;
    std::size_t granularity = 0;
    const CUmemAllocationProp kind = properties();
    return attribute(&supported, CU_DEVICE_ATTRIBUTE_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED, device) == CUDA_SUCCESS &&
           supported != 0 && granularity_of(&granularity, &kind, CU_MEM_ALLOC_GRANULARITY_MINIMUM) == CUDA_SUCCESS &&
           granularity != 0 && unit % granularity == 0;
  }

  // Reserves an address range; 0 if there is none of that size.
  CUdeviceptr reserve(std::size_t bytes) const {
    CUdeviceptr address = 0;
    return reserve_(&address, bytes, 0, 0, 0) == CUDA_SUCCESS ? address : 0;
  }
  void free(CUdeviceptr address, std::size_t bytes) const { free_(address, bytes); }

  // Physical memory. It lasts until its handle is released and all its mappings are removed.
  bool create(std::size_t bytes, Handle& handle) const {
    const CUmemAllocationProp kind = properties();
    return create_(&handle, bytes, &kind, 0) == CUDA_SUCCESS;
  }
  void release(Handle handle) const { release_(handle); }

  // Memory is accessible only after `allow`, which can cover several mappings at once.
  bool map(CUdeviceptr address, std::size_t bytes, Handle handle) const {
    return map_(address, bytes, 0, handle, 0) == CUDA_SUCCESS;
  }
  bool allow(CUdeviceptr address, std::size_t bytes, CUmemAccess_flags access) const {
    CUmemAccessDesc description{};
    description.location = location_;
    description.flags = access;
    return set_access_(address, bytes, &description, 1) == CUDA_SUCCESS;
  }
  // Unmaps the range of one `map` call, which no kernel uses any more.
  void unmap(CUdeviceptr address, std::size_t bytes) const { unmap_(address, bytes); }

 private:
  CUmemAllocationProp properties() const {
    CUmemAllocationProp kind{};
    kind.type = CU_MEM_ALLOCATION_TYPE_PINNED;
    kind.location = location_;
    return kind;
  }

  CUmemLocation location_{};
  PFN_cuMemAddressReserve_v10020 reserve_ = nullptr;
  PFN_cuMemAddressFree_v10020 free_ = nullptr;
  PFN_cuMemCreate_v10020 create_ = nullptr;
  PFN_cuMemRelease_v10020 release_ = nullptr;
  PFN_cuMemMap_v10020 map_ = nullptr;
  PFN_cuMemUnmap_v10020 unmap_ = nullptr;
  PFN_cuMemSetAccess_v10020 set_access_ = nullptr;
};

}  // namespace hirace::gpu
