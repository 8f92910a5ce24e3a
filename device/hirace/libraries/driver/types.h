// The types of the driver API, with its values. Handles are those of the runtime, and pointers are addresses.
#pragma once

#include <cstdint>

#include "../../hirace.cuh"

#define CUDAAPI
#define CU_STREAM_LEGACY cudaStreamLegacy
#define CU_STREAM_PER_THREAD cudaStreamPerThread

typedef unsigned long long CUdeviceptr;
typedef int CUdevice;
typedef cudaStream_t CUstream;
typedef cudaEvent_t CUevent;
typedef cudaGraph_t CUgraph;
typedef cudaGraphExec_t CUgraphExec;
typedef cudaMemPool_t CUmemoryPool;
typedef cudaArray_t CUarray;
typedef cudaTextureObject_t CUtexObject;
typedef cudaSurfaceObject_t CUsurfObject;
typedef struct CUctx_st* CUcontext;
typedef struct CUuuid_st {
  char bytes[16];
} CUuuid;

// CUDA's errors as entry(name, number): the runtime's of the same number mean the same.
#define HIRACE_DRIVER_ERRORS(entry)            \
  entry(CUDA_SUCCESS, 0)                       \
  entry(CUDA_ERROR_INVALID_VALUE, 1)           \
  entry(CUDA_ERROR_OUT_OF_MEMORY, 2)           \
  entry(CUDA_ERROR_NOT_INITIALIZED, 3)         \
  entry(CUDA_ERROR_DEINITIALIZED, 4)           \
  entry(CUDA_ERROR_NO_DEVICE, 100)             \
  entry(CUDA_ERROR_INVALID_DEVICE, 101)        \
  entry(CUDA_ERROR_INVALID_IMAGE, 200)         \
  entry(CUDA_ERROR_INVALID_CONTEXT, 201)       \
  entry(CUDA_ERROR_NO_BINARY_FOR_GPU, 209)     \
  entry(CUDA_ERROR_UNSUPPORTED_LIMIT, 215)     \
  entry(CUDA_ERROR_PEER_ACCESS_UNSUPPORTED, 217) \
  entry(CUDA_ERROR_INVALID_PTX, 218)           \
  entry(CUDA_ERROR_INVALID_SOURCE, 300)        \
  entry(CUDA_ERROR_FILE_NOT_FOUND, 301)        \
  entry(CUDA_ERROR_OPERATING_SYSTEM, 304)      \
  entry(CUDA_ERROR_INVALID_HANDLE, 400)        \
  entry(CUDA_ERROR_ILLEGAL_STATE, 401)         \
  entry(CUDA_ERROR_NOT_FOUND, 500)             \
  entry(CUDA_ERROR_NOT_READY, 600)             \
  entry(CUDA_ERROR_ILLEGAL_ADDRESS, 700)       \
  entry(CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES, 701) \
  entry(CUDA_ERROR_LAUNCH_TIMEOUT, 702)        \
  entry(CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED, 704) \
  entry(CUDA_ERROR_PEER_ACCESS_NOT_ENABLED, 705) \
  entry(CUDA_ERROR_PRIMARY_CONTEXT_ACTIVE, 708) \
  entry(CUDA_ERROR_CONTEXT_IS_DESTROYED, 709)  \
  entry(CUDA_ERROR_ASSERT, 710)                \
  entry(CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED, 712) \
  entry(CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED, 713) \
  entry(CUDA_ERROR_MISALIGNED_ADDRESS, 716)    \
  entry(CUDA_ERROR_LAUNCH_FAILED, 719)         \
  entry(CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE, 720) \
  entry(CUDA_ERROR_NOT_PERMITTED, 800)         \
  entry(CUDA_ERROR_NOT_SUPPORTED, 801)         \
  entry(CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED, 900) \
  entry(CUDA_ERROR_STREAM_CAPTURE_INVALIDATED, 901) \
  entry(CUDA_ERROR_UNKNOWN, 999)
typedef enum cudaError_enum {
#define HIRACE_ENUMERATOR(name, number) name = number,
  HIRACE_DRIVER_ERRORS(HIRACE_ENUMERATOR)
#undef HIRACE_ENUMERATOR
} CUresult;

// The device's attributes have the runtime's numbers.
typedef enum CUdevice_attribute_enum {
  CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK = cudaDevAttrMaxThreadsPerBlock,
  CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_X = cudaDevAttrMaxBlockDimX,
  CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Y = cudaDevAttrMaxBlockDimY,
  CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Z = cudaDevAttrMaxBlockDimZ,
  CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X = cudaDevAttrMaxGridDimX,
  CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Y = cudaDevAttrMaxGridDimY,
  CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Z = cudaDevAttrMaxGridDimZ,
  CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK = cudaDevAttrMaxSharedMemoryPerBlock,
  CU_DEVICE_ATTRIBUTE_TOTAL_CONSTANT_MEMORY = cudaDevAttrTotalConstantMemory,
  CU_DEVICE_ATTRIBUTE_WARP_SIZE = cudaDevAttrWarpSize,
  CU_DEVICE_ATTRIBUTE_MAX_PITCH = cudaDevAttrMaxPitch,
  CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_BLOCK = cudaDevAttrMaxRegistersPerBlock,
  CU_DEVICE_ATTRIBUTE_CLOCK_RATE = cudaDevAttrClockRate,
  CU_DEVICE_ATTRIBUTE_TEXTURE_ALIGNMENT = cudaDevAttrTextureAlignment,
  CU_DEVICE_ATTRIBUTE_GPU_OVERLAP = cudaDevAttrGpuOverlap,
  CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT = cudaDevAttrMultiProcessorCount,
  CU_DEVICE_ATTRIBUTE_KERNEL_EXEC_TIMEOUT = cudaDevAttrKernelExecTimeout,
  CU_DEVICE_ATTRIBUTE_INTEGRATED = cudaDevAttrIntegrated,
  CU_DEVICE_ATTRIBUTE_CAN_MAP_HOST_MEMORY = cudaDevAttrCanMapHostMemory,
  CU_DEVICE_ATTRIBUTE_COMPUTE_MODE = cudaDevAttrComputeMode,
  CU_DEVICE_ATTRIBUTE_CONCURRENT_KERNELS = cudaDevAttrConcurrentKernels,
  CU_DEVICE_ATTRIBUTE_ECC_ENABLED = cudaDevAttrEccEnabled,
  CU_DEVICE_ATTRIBUTE_PCI_BUS_ID = cudaDevAttrPciBusId,
  CU_DEVICE_ATTRIBUTE_PCI_DEVICE_ID = cudaDevAttrPciDeviceId,
  CU_DEVICE_ATTRIBUTE_TCC_DRIVER = cudaDevAttrTccDriver,
  CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE = cudaDevAttrMemoryClockRate,
  CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH = cudaDevAttrGlobalMemoryBusWidth,
  CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE = cudaDevAttrL2CacheSize,
  CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR = cudaDevAttrMaxThreadsPerMultiProcessor,
  CU_DEVICE_ATTRIBUTE_ASYNC_ENGINE_COUNT = cudaDevAttrAsyncEngineCount,
  CU_DEVICE_ATTRIBUTE_UNIFIED_ADDRESSING = cudaDevAttrUnifiedAddressing,
  CU_DEVICE_ATTRIBUTE_PCI_DOMAIN_ID = cudaDevAttrPciDomainId,
  CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR = cudaDevAttrComputeCapabilityMajor,
  CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR = cudaDevAttrComputeCapabilityMinor,
  CU_DEVICE_ATTRIBUTE_STREAM_PRIORITIES_SUPPORTED = cudaDevAttrStreamPrioritiesSupported,
  CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR = cudaDevAttrMaxSharedMemoryPerMultiprocessor,
  CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_MULTIPROCESSOR = cudaDevAttrMaxRegistersPerMultiprocessor,
  CU_DEVICE_ATTRIBUTE_MANAGED_MEMORY = cudaDevAttrManagedMemory,
  CU_DEVICE_ATTRIBUTE_PAGEABLE_MEMORY_ACCESS = cudaDevAttrPageableMemoryAccess,
  CU_DEVICE_ATTRIBUTE_CONCURRENT_MANAGED_ACCESS = cudaDevAttrConcurrentManagedAccess,
  CU_DEVICE_ATTRIBUTE_COOPERATIVE_LAUNCH = cudaDevAttrCooperativeLaunch,
  CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN = cudaDevAttrMaxSharedMemoryPerBlockOptin,
  CU_DEVICE_ATTRIBUTE_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED = 102,
  CU_DEVICE_ATTRIBUTE_MAX_BLOCKS_PER_MULTIPROCESSOR = cudaDevAttrMaxBlocksPerMultiprocessor,
  CU_DEVICE_ATTRIBUTE_MEMORY_POOLS_SUPPORTED = cudaDevAttrMemoryPoolsSupported,
  CU_DEVICE_ATTRIBUTE_CLUSTER_LAUNCH = cudaDevAttrClusterLaunch
} CUdevice_attribute;

typedef enum CUlimit_enum {
  CU_LIMIT_STACK_SIZE = cudaLimitStackSize,
  CU_LIMIT_PRINTF_FIFO_SIZE = cudaLimitPrintfFifoSize,
  CU_LIMIT_MALLOC_HEAP_SIZE = cudaLimitMallocHeapSize,
  CU_LIMIT_DEV_RUNTIME_SYNC_DEPTH = cudaLimitDevRuntimeSyncDepth,
  CU_LIMIT_DEV_RUNTIME_PENDING_LAUNCH_COUNT = cudaLimitDevRuntimePendingLaunchCount
} CUlimit;
typedef enum CUfunc_cache_enum {
  CU_FUNC_CACHE_PREFER_NONE = cudaFuncCachePreferNone,
  CU_FUNC_CACHE_PREFER_SHARED = cudaFuncCachePreferShared,
  CU_FUNC_CACHE_PREFER_L1 = cudaFuncCachePreferL1,
  CU_FUNC_CACHE_PREFER_EQUAL = cudaFuncCachePreferEqual
} CUfunc_cache;
typedef enum CUctx_flags_enum {
  CU_CTX_SCHED_AUTO = 0,
  CU_CTX_SCHED_SPIN = 1,
  CU_CTX_SCHED_YIELD = 2,
  CU_CTX_SCHED_BLOCKING_SYNC = 4,
  CU_CTX_BLOCKING_SYNC = 4,
  CU_CTX_SCHED_MASK = 7,
  CU_CTX_MAP_HOST = 8,
  CU_CTX_LMEM_RESIZE_TO_MAX = 16
} CUctx_flags;
typedef enum CUmemorytype_enum {
  CU_MEMORYTYPE_HOST = 1,
  CU_MEMORYTYPE_DEVICE = 2,
  CU_MEMORYTYPE_ARRAY = 3,
  CU_MEMORYTYPE_UNIFIED = 4
} CUmemorytype;
typedef enum CUpointer_attribute_enum {
  CU_POINTER_ATTRIBUTE_CONTEXT = 1,
  CU_POINTER_ATTRIBUTE_MEMORY_TYPE = 2,
  CU_POINTER_ATTRIBUTE_DEVICE_POINTER = 3,
  CU_POINTER_ATTRIBUTE_HOST_POINTER = 4,
  CU_POINTER_ATTRIBUTE_IS_MANAGED = 8,
  CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL = 9
} CUpointer_attribute;
typedef enum CUmemAttach_flags_enum { CU_MEM_ATTACH_GLOBAL = 1, CU_MEM_ATTACH_HOST = 2, CU_MEM_ATTACH_SINGLE = 4 } CUmemAttach_flags;
typedef enum CUstream_flags_enum { CU_STREAM_DEFAULT = 0, CU_STREAM_NON_BLOCKING = 1 } CUstream_flags;
typedef enum CUevent_flags_enum {
  CU_EVENT_DEFAULT = 0,
  CU_EVENT_BLOCKING_SYNC = 1,
  CU_EVENT_DISABLE_TIMING = 2,
  CU_EVENT_INTERPROCESS = 4
} CUevent_flags;

#define CU_MEMHOSTALLOC_PORTABLE 1
#define CU_MEMHOSTALLOC_DEVICEMAP 2
#define CU_MEMHOSTALLOC_WRITECOMBINED 4
#define CU_MEMHOSTREGISTER_PORTABLE 1
#define CU_MEMHOSTREGISTER_DEVICEMAP 2

// A copy of `Height` rows of bytes between two pitched memories.
typedef struct CUDA_MEMCPY2D_st {
  std::size_t srcXInBytes, srcY;
  CUmemorytype srcMemoryType;
  const void* srcHost;
  CUdeviceptr srcDevice;
  CUarray srcArray;
  std::size_t srcPitch;
  std::size_t dstXInBytes, dstY;
  CUmemorytype dstMemoryType;
  void* dstHost;
  CUdeviceptr dstDevice;
  CUarray dstArray;
  std::size_t dstPitch;
  std::size_t WidthInBytes, Height;
} CUDA_MEMCPY2D;

namespace hirace::cpu {

constexpr CUresult driver_result(cudaError_t error) { return static_cast<CUresult>(static_cast<int>(error)); }

// A device pointer as the runtime has it.
inline void* driver_pointer(CUdeviceptr address) { return reinterpret_cast<void*>(static_cast<std::uintptr_t>(address)); }

}  // namespace hirace::cpu
