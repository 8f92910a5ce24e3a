// The types of the driver's virtual memory management.
#pragma once

#include <cstddef>

using CUdeviceptr = unsigned long long;
using CUmemGenericAllocationHandle = unsigned long long;
using CUdevice = int;
enum CUresult { CUDA_SUCCESS = 0, CUDA_ERROR_INVALID_VALUE = 1, CUDA_ERROR_OUT_OF_MEMORY = 2 };
enum CUdevice_attribute { CU_DEVICE_ATTRIBUTE_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED = 102 };
enum CUmemLocationType { CU_MEM_LOCATION_TYPE_DEVICE = 1 };
enum CUmemAllocationType { CU_MEM_ALLOCATION_TYPE_PINNED = 1 };
enum CUmemAllocationGranularity_flags { CU_MEM_ALLOC_GRANULARITY_MINIMUM = 0 };
enum CUmemAccess_flags { CU_MEM_ACCESS_FLAGS_PROT_READ = 1, CU_MEM_ACCESS_FLAGS_PROT_READWRITE = 3 };
enum CUpointer_attribute { CU_POINTER_ATTRIBUTE_RANGE_START_ADDR = 11, CU_POINTER_ATTRIBUTE_RANGE_SIZE = 12 };
enum CUfunction_attribute { CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES = 1, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES = 8 };
using CUfunction = struct CUfunc_st*;
struct CUmemLocation {
  CUmemLocationType type;
  int id;
};
struct CUmemAllocationProp {
  CUmemAllocationType type;
  CUmemLocation location;
};
struct CUmemAccessDesc {
  CUmemLocation location;
  CUmemAccess_flags flags;
};

using PFN_cuDeviceGetAttribute_v2000 = CUresult (*)(int*, CUdevice_attribute, CUdevice);
using PFN_cuMemAddressReserve_v10020 = CUresult (*)(CUdeviceptr*, std::size_t, std::size_t, CUdeviceptr, unsigned long long);
using PFN_cuMemAddressFree_v10020 = CUresult (*)(CUdeviceptr, std::size_t);
using PFN_cuMemCreate_v10020 = CUresult (*)(CUmemGenericAllocationHandle*, std::size_t, const CUmemAllocationProp*,
                                            unsigned long long);
using PFN_cuMemRelease_v10020 = CUresult (*)(CUmemGenericAllocationHandle);
using PFN_cuMemMap_v10020 = CUresult (*)(CUdeviceptr, std::size_t, std::size_t, CUmemGenericAllocationHandle,
                                         unsigned long long);
using PFN_cuMemUnmap_v10020 = CUresult (*)(CUdeviceptr, std::size_t);
using PFN_cuMemSetAccess_v10020 = CUresult (*)(CUdeviceptr, std::size_t, const CUmemAccessDesc*, std::size_t);
using PFN_cuMemGetAllocationGranularity_v10020 = CUresult (*)(std::size_t*, const CUmemAllocationProp*,
                                                              CUmemAllocationGranularity_flags);
using PFN_cuPointerGetAttribute_v4000 = CUresult (*)(void*, CUpointer_attribute, CUdeviceptr);
using PFN_cuOccupancyMaxActiveBlocksPerMultiprocessor_v6050 = CUresult (*)(int*, CUfunction, int, std::size_t);
