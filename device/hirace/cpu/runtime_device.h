// The one device that the executor is: what programs may ask of it.
//
// It has the limits of compute capability 9.0 and few multiprocessors, so that
// grids sized by them stay small. All device ordinals but 0 are invalid.
#pragma once

#include <cstddef>
#include <cstdio>
#include <cstring>

#include "device_heap.h"
#include "runtime_error.h"
#include "shared_layout.h"

namespace hirace::cpu {
constexpr int multiprocessors = 16;
constexpr int threads_per_multiprocessor = 2048;
constexpr int blocks_per_multiprocessor = 32;
constexpr std::size_t shared_per_multiprocessor = 228 * 1024;
constexpr int cuda_version = 12080;
}  // namespace hirace::cpu

enum cudaDeviceAttr {
  cudaDevAttrMaxThreadsPerBlock = 1,
  cudaDevAttrMaxBlockDimX = 2,
  cudaDevAttrMaxBlockDimY = 3,
  cudaDevAttrMaxBlockDimZ = 4,
  cudaDevAttrMaxGridDimX = 5,
  cudaDevAttrMaxGridDimY = 6,
  cudaDevAttrMaxGridDimZ = 7,
  cudaDevAttrMaxSharedMemoryPerBlock = 8,
  cudaDevAttrTotalConstantMemory = 9,
  cudaDevAttrWarpSize = 10,
  cudaDevAttrMaxPitch = 11,
  cudaDevAttrMaxRegistersPerBlock = 12,
  cudaDevAttrClockRate = 13,
  cudaDevAttrTextureAlignment = 14,
  cudaDevAttrGpuOverlap = 15,
  cudaDevAttrMultiProcessorCount = 16,
  cudaDevAttrKernelExecTimeout = 17,
  cudaDevAttrIntegrated = 18,
  cudaDevAttrCanMapHostMemory = 19,
  cudaDevAttrComputeMode = 20,
  cudaDevAttrConcurrentKernels = 31,
  cudaDevAttrEccEnabled = 32,
  cudaDevAttrMemoryClockRate = 36,
  cudaDevAttrGlobalMemoryBusWidth = 37,
  cudaDevAttrL2CacheSize = 38,
  cudaDevAttrMaxThreadsPerMultiProcessor = 39,
  cudaDevAttrAsyncEngineCount = 40,
  cudaDevAttrUnifiedAddressing = 41,
  cudaDevAttrComputeCapabilityMajor = 75,
  cudaDevAttrComputeCapabilityMinor = 76,
  cudaDevAttrStreamPrioritiesSupported = 78,
  cudaDevAttrMaxSharedMemoryPerMultiprocessor = 81,
  cudaDevAttrMaxRegistersPerMultiprocessor = 82,
  cudaDevAttrManagedMemory = 83,
  cudaDevAttrIsMultiGpuBoard = 84,
  cudaDevAttrPageableMemoryAccess = 88,
  cudaDevAttrConcurrentManagedAccess = 89,
  cudaDevAttrCooperativeLaunch = 95,
  cudaDevAttrMaxSharedMemoryPerBlockOptin = 97,
  cudaDevAttrMaxBlocksPerMultiprocessor = 106,
  cudaDevAttrMemoryPoolsSupported = 115
};

enum cudaComputeMode {
  cudaComputeModeDefault = 0,
  cudaComputeModeExclusive = 1,
  cudaComputeModeProhibited = 2,
  cudaComputeModeExclusiveProcess = 3
};
enum cudaLimit {
  cudaLimitStackSize = 0,
  cudaLimitPrintfFifoSize = 1,
  cudaLimitMallocHeapSize = 2,
  cudaLimitDevRuntimeSyncDepth = 3,
  cudaLimitDevRuntimePendingLaunchCount = 4,
  cudaLimitMaxL2FetchGranularity = 5,
  cudaLimitPersistingL2CacheSize = 6
};
enum cudaFuncCache {
  cudaFuncCachePreferNone = 0,
  cudaFuncCachePreferShared = 1,
  cudaFuncCachePreferL1 = 2,
  cudaFuncCachePreferEqual = 3
};
enum cudaSharedMemConfig {
  cudaSharedMemBankSizeDefault = 0,
  cudaSharedMemBankSizeFourByte = 1,
  cudaSharedMemBankSizeEightByte = 2
};

constexpr unsigned int cudaDeviceScheduleAuto = 0, cudaDeviceScheduleSpin = 1, cudaDeviceScheduleYield = 2,
                       cudaDeviceScheduleBlockingSync = 4, cudaDeviceMapHost = 8, cudaDeviceLmemResizeToMax = 16;

struct cudaUUID_t {
  char bytes[16];
};

struct cudaDeviceProp {
  char name[256];
  cudaUUID_t uuid;
  std::size_t totalGlobalMem;
  std::size_t sharedMemPerBlock;
  int regsPerBlock;
  int warpSize;
  std::size_t memPitch;
  int maxThreadsPerBlock;
  int maxThreadsDim[3];
  int maxGridSize[3];
  int clockRate;
  std::size_t totalConstMem;
  int major;
  int minor;
  std::size_t textureAlignment;
  std::size_t texturePitchAlignment;
  int deviceOverlap;
  int multiProcessorCount;
  int kernelExecTimeoutEnabled;
  int integrated;
  int canMapHostMemory;
  int computeMode;
  int concurrentKernels;
  int ECCEnabled;
  int pciBusID;
  int pciDeviceID;
  int pciDomainID;
  int tccDriver;
  int asyncEngineCount;
  int unifiedAddressing;
  int memoryClockRate;
  int memoryBusWidth;
  int l2CacheSize;
  int persistingL2CacheMaxSize;
  int maxThreadsPerMultiProcessor;
  int streamPrioritiesSupported;
  int globalL1CacheSupported;
  int localL1CacheSupported;
  std::size_t sharedMemPerMultiprocessor;
  int regsPerMultiprocessor;
  int managedMemory;
  int isMultiGpuBoard;
  int multiGpuBoardGroupID;
  int hostNativeAtomicSupported;
  int singleToDoublePrecisionPerfRatio;
  int pageableMemoryAccess;
  int concurrentManagedAccess;
  int computePreemptionSupported;
  int canUseHostPointerForRegisteredMem;
  int cooperativeLaunch;
  int cooperativeMultiDeviceLaunch;
  std::size_t sharedMemPerBlockOptin;
  int pageableMemoryAccessUsesHostPageTables;
  int directManagedMemAccessFromHost;
  int maxBlocksPerMultiProcessor;
  std::size_t reservedSharedMemPerBlock;
};

namespace hirace::cpu {

inline cudaDeviceProp device_properties() {
  cudaDeviceProp p{};
  std::snprintf(p.name, sizeof p.name, "hirace CPU executor");
  p.totalGlobalMem = device_heap().total_bytes();
  p.sharedMemPerBlock = default_dynamic_shared_bytes;
  p.regsPerBlock = p.regsPerMultiprocessor = 65536;
  p.warpSize = 32;
  p.memPitch = 0x7fffffff;
  p.maxThreadsPerBlock = p.maxThreadsDim[0] = p.maxThreadsDim[1] = 1024;
  p.maxThreadsDim[2] = 64;
  p.maxGridSize[0] = 0x7fffffff;
  p.maxGridSize[1] = p.maxGridSize[2] = 65535;
  p.clockRate = p.memoryClockRate = 1000000;
  p.totalConstMem = 65536;
  p.major = 9;
  p.textureAlignment = 512;
  p.texturePitchAlignment = 32;
  p.deviceOverlap = 1;
  p.multiProcessorCount = multiprocessors;
  p.integrated = 1;
  p.canMapHostMemory = 1;
  p.concurrentKernels = 1;
  p.asyncEngineCount = 1;
  p.unifiedAddressing = 1;
  p.memoryBusWidth = 64;
  p.l2CacheSize = 1 << 20;
  p.maxThreadsPerMultiProcessor = threads_per_multiprocessor;
  p.streamPrioritiesSupported = 1;
  p.globalL1CacheSupported = p.localL1CacheSupported = 1;
  p.sharedMemPerMultiprocessor = shared_per_multiprocessor;
  p.managedMemory = 1;
  p.hostNativeAtomicSupported = 1;
  p.singleToDoublePrecisionPerfRatio = 2;
  p.concurrentManagedAccess = 1;
  p.canUseHostPointerForRegisteredMem = 1;
  p.cooperativeLaunch = 1;
  p.sharedMemPerBlockOptin = max_dynamic_shared_bytes;
  p.maxBlocksPerMultiProcessor = blocks_per_multiprocessor;
  p.reservedSharedMemPerBlock = 1024;
  return p;
}

// The value of an attribute; false where it is not one that we know.
inline bool device_attribute(cudaDeviceAttr attribute, int& value) {
  const cudaDeviceProp p = device_properties();
  switch (attribute) {
    case cudaDevAttrMaxThreadsPerBlock: value = p.maxThreadsPerBlock; break;
    case cudaDevAttrMaxBlockDimX: value = p.maxThreadsDim[0]; break;
    case cudaDevAttrMaxBlockDimY: value = p.maxThreadsDim[1]; break;
    case cudaDevAttrMaxBlockDimZ: value = p.maxThreadsDim[2]; break;
    case cudaDevAttrMaxGridDimX: value = p.maxGridSize[0]; break;
    case cudaDevAttrMaxGridDimY: value = p.maxGridSize[1]; break;
    case cudaDevAttrMaxGridDimZ: value = p.maxGridSize[2]; break;
    case cudaDevAttrMaxSharedMemoryPerBlock: value = static_cast<int>(p.sharedMemPerBlock); break;
    case cudaDevAttrTotalConstantMemory: value = static_cast<int>(p.totalConstMem); break;
    case cudaDevAttrWarpSize: value = p.warpSize; break;
    case cudaDevAttrMaxPitch: value = static_cast<int>(p.memPitch); break;
    case cudaDevAttrMaxRegistersPerBlock: value = p.regsPerBlock; break;
    case cudaDevAttrClockRate: value = p.clockRate; break;
    case cudaDevAttrTextureAlignment: value = static_cast<int>(p.textureAlignment); break;
    case cudaDevAttrGpuOverlap: value = p.deviceOverlap; break;
    case cudaDevAttrMultiProcessorCount: value = p.multiProcessorCount; break;
    case cudaDevAttrKernelExecTimeout: value = p.kernelExecTimeoutEnabled; break;
    case cudaDevAttrIntegrated: value = p.integrated; break;
    case cudaDevAttrCanMapHostMemory: value = p.canMapHostMemory; break;
    case cudaDevAttrComputeMode: value = p.computeMode; break;
    case cudaDevAttrConcurrentKernels: value = p.concurrentKernels; break;
    case cudaDevAttrEccEnabled: value = p.ECCEnabled; break;
    case cudaDevAttrMemoryClockRate: value = p.memoryClockRate; break;
    case cudaDevAttrGlobalMemoryBusWidth: value = p.memoryBusWidth; break;
    case cudaDevAttrL2CacheSize: value = p.l2CacheSize; break;
    case cudaDevAttrMaxThreadsPerMultiProcessor: value = p.maxThreadsPerMultiProcessor; break;
    case cudaDevAttrAsyncEngineCount: value = p.asyncEngineCount; break;
    case cudaDevAttrUnifiedAddressing: value = p.unifiedAddressing; break;
    case cudaDevAttrComputeCapabilityMajor: value = p.major; break;
    case cudaDevAttrComputeCapabilityMinor: value = p.minor; break;
    case cudaDevAttrStreamPrioritiesSupported: value = p.streamPrioritiesSupported; break;
    case cudaDevAttrMaxSharedMemoryPerMultiprocessor: value = static_cast<int>(p.sharedMemPerMultiprocessor); break;
    case cudaDevAttrMaxRegistersPerMultiprocessor: value = p.regsPerMultiprocessor; break;
    case cudaDevAttrManagedMemory: value = p.managedMemory; break;
    case cudaDevAttrIsMultiGpuBoard: value = p.isMultiGpuBoard; break;
    case cudaDevAttrPageableMemoryAccess: value = p.pageableMemoryAccess; break;
    case cudaDevAttrConcurrentManagedAccess: value = p.concurrentManagedAccess; break;
    case cudaDevAttrCooperativeLaunch: value = p.cooperativeLaunch; break;
    case cudaDevAttrMaxSharedMemoryPerBlockOptin: value = static_cast<int>(p.sharedMemPerBlockOptin); break;
    case cudaDevAttrMaxBlocksPerMultiprocessor: value = p.maxBlocksPerMultiProcessor; break;
    case cudaDevAttrMemoryPoolsSupported: value = 0; break;
    default: return false;
  }
  return true;
}

inline cudaError_t check_device(int device) { return device == 0 ? cudaSuccess : set_error(cudaErrorInvalidDevice); }

}  // namespace hirace::cpu

inline cudaError_t cudaGetDeviceCount(int* count) {
  if (count == nullptr) return hirace::cpu::set_error(cudaErrorInvalidValue);
  *count = 1;
  return cudaSuccess;
}
inline cudaError_t cudaSetDevice(int device) { return hirace::cpu::check_device(device); }
inline cudaError_t cudaGetDevice(int* device) {
  if (device == nullptr) return hirace::cpu::set_error(cudaErrorInvalidValue);
  *device = 0;
  return cudaSuccess;
}
inline cudaError_t cudaChooseDevice(int* device, const cudaDeviceProp*) { return cudaGetDevice(device); }
inline cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int device) {
  if (properties == nullptr) return hirace::cpu::set_error(cudaErrorInvalidValue);
  if (const cudaError_t error = hirace::cpu::check_device(device)) return error;
  *properties = hirace::cpu::device_properties();
  return cudaSuccess;
}
inline cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int device) {
  if (value == nullptr) return hirace::cpu::set_error(cudaErrorInvalidValue);
  if (const cudaError_t error = hirace::cpu::check_device(device)) return error;
  return hirace::cpu::device_attribute(attribute, *value) ? cudaSuccess : hirace::cpu::set_error(cudaErrorInvalidValue);
}
inline cudaError_t cudaDeviceSynchronize() { return cudaSuccess; }
inline cudaError_t cudaThreadSynchronize() { return cudaSuccess; }
inline cudaError_t cudaDeviceReset() {
  hirace::cpu::device_heap().release_all();
  hirace::cpu::last_error = cudaSuccess;
  return cudaSuccess;
}
inline cudaError_t cudaSetDeviceFlags(unsigned int) { return cudaSuccess; }
inline cudaError_t cudaGetDeviceFlags(unsigned int* flags) {
  if (flags == nullptr) return hirace::cpu::set_error(cudaErrorInvalidValue);
  *flags = cudaDeviceScheduleAuto;
  return cudaSuccess;
}

// Stacks grow with HIRACE_STACK_BYTES; printf and malloc in kernels are the host's.
inline cudaError_t cudaDeviceSetLimit(cudaLimit, std::size_t) { return cudaSuccess; }
inline cudaError_t cudaDeviceGetLimit(std::size_t* value, cudaLimit limit) {
  if (value == nullptr) return hirace::cpu::set_error(cudaErrorInvalidValue);
  switch (limit) {
    case cudaLimitStackSize: *value = 1024; return cudaSuccess;
    case cudaLimitPrintfFifoSize: *value = std::size_t{1} << 20; return cudaSuccess;
    case cudaLimitMallocHeapSize: *value = std::size_t{8} << 20; return cudaSuccess;
    default: return hirace::cpu::set_error(cudaErrorUnsupportedLimit);
  }
}
inline cudaError_t cudaDeviceSetCacheConfig(cudaFuncCache) { return cudaSuccess; }
inline cudaError_t cudaDeviceGetCacheConfig(cudaFuncCache* config) {
  if (config == nullptr) return hirace::cpu::set_error(cudaErrorInvalidValue);
  *config = cudaFuncCachePreferNone;
  return cudaSuccess;
}
inline cudaError_t cudaDeviceSetSharedMemConfig(cudaSharedMemConfig) { return cudaSuccess; }
inline cudaError_t cudaDeviceCanAccessPeer(int* can, int, int) {
  if (can == nullptr) return hirace::cpu::set_error(cudaErrorInvalidValue);
  *can = 0;
  return cudaSuccess;
}
inline cudaError_t cudaDeviceEnablePeerAccess(int, unsigned int) { return hirace::cpu::set_error(cudaErrorInvalidDevice); }
inline cudaError_t cudaDeviceDisablePeerAccess(int) { return hirace::cpu::set_error(cudaErrorInvalidDevice); }
inline cudaError_t cudaDriverGetVersion(int* version) {
  if (version == nullptr) return hirace::cpu::set_error(cudaErrorInvalidValue);
  *version = hirace::cpu::cuda_version;
  return cudaSuccess;
}
inline cudaError_t cudaRuntimeGetVersion(int* version) { return cudaDriverGetVersion(version); }
inline cudaError_t cudaProfilerStart() { return cudaSuccess; }
inline cudaError_t cudaProfilerStop() { return cudaSuccess; }
