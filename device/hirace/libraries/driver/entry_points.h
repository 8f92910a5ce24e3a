// The driver's functions by name, for programs that are not linked with the driver: cuGetProcAddress() and
// cudaGetDriverEntryPoint(), and the types of pointers to them.
#pragma once

#include <cstring>

#include "context.h"
#include "memory.h"
#include "modules.h"
#include "streams.h"
#include "tensor_maps.h"

typedef enum CUdriverProcAddressQueryResult_enum {
  CU_GET_PROC_ADDRESS_SUCCESS = 0,
  CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND = 1,
  CU_GET_PROC_ADDRESS_VERSION_NOT_SUFFICIENT = 2
} CUdriverProcAddressQueryResult;
typedef enum CUdriverProcAddress_flags_enum {
  CU_GET_PROC_ADDRESS_DEFAULT = 0,
  CU_GET_PROC_ADDRESS_LEGACY_STREAM = 1,
  CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM = 2
} CUdriverProcAddress_flags;

CUresult cuGetProcAddress(const char* name, void** function, int version, std::uint64_t flags,
                          CUdriverProcAddressQueryResult* found = nullptr);

#define HIRACE_DRIVER_FUNCTIONS(entry)                                                                                \
  entry(cuInit) entry(cuDriverGetVersion) entry(cuGetErrorName) entry(cuGetErrorString) entry(cuDeviceGet)            \
  entry(cuDeviceGetCount) entry(cuDeviceGetName) entry(cuDeviceGetAttribute) entry(cuDeviceTotalMem)                  \
  entry(cuDeviceGetUuid) entry(cuDeviceComputeCapability) entry(cuDevicePrimaryCtxRetain)                             \
  entry(cuDevicePrimaryCtxRelease) entry(cuDevicePrimaryCtxReset) entry(cuCtxCreate) entry(cuCtxDestroy)              \
  entry(cuCtxGetCurrent) entry(cuCtxSetCurrent) entry(cuCtxPushCurrent) entry(cuCtxPopCurrent)                        \
  entry(cuCtxSynchronize) entry(cuCtxGetDevice) entry(cuCtxSetLimit) entry(cuLaunchHostFunc) entry(cuMemAlloc)        \
  entry(cuMemAllocPitch) entry(cuMemAllocHost) entry(cuMemAllocManaged) entry(cuMemAllocAsync) entry(cuMemFree)       \
  entry(cuMemFreeHost) entry(cuMemFreeAsync) entry(cuMemHostAlloc) entry(cuMemHostRegister)                           \
  entry(cuMemHostUnregister) entry(cuMemHostGetDevicePointer) entry(cuMemGetInfo) entry(cuPointerGetAttribute)        \
  entry(cuMemcpy) entry(cuMemcpyAsync) entry(cuMemcpyHtoD) entry(cuMemcpyDtoH) entry(cuMemcpyDtoD)                    \
  entry(cuMemcpyHtoDAsync) entry(cuMemcpyDtoHAsync) entry(cuMemcpyDtoDAsync) entry(cuMemcpy2D) entry(cuMemsetD8)      \
  entry(cuMemsetD16) entry(cuMemsetD32) entry(cuMemsetD8Async) entry(cuMemsetD32Async) entry(cuStreamCreate)          \
  entry(cuStreamDestroy) entry(cuStreamSynchronize) entry(cuStreamQuery) entry(cuStreamWaitEvent)                     \
  entry(cuEventCreate) entry(cuEventDestroy) entry(cuEventRecord) entry(cuEventSynchronize) entry(cuEventQuery)       \
  entry(cuEventElapsedTime) entry(cuCtxGetFlags) entry(cuCtxGetLimit) entry(cuDeviceCanAccessPeer)                    \
  entry(cuMemHostGetFlags) entry(cuMemcpy2DAsync) entry(cuMemsetD2D8) entry(cuMemsetD2D32)                            \
  entry(cuStreamCreateWithPriority) entry(cuStreamAddCallback) entry(cuModuleLoad) entry(cuModuleLoadData)            \
  entry(cuModuleLoadDataEx) entry(cuModuleLoadFatBinary) entry(cuModuleUnload) entry(cuModuleGetFunction)             \
  entry(cuModuleGetFunctionCount) entry(cuModuleEnumerateFunctions) entry(cuModuleGetGlobal) entry(cuLibraryLoadData) \
  entry(cuLibraryLoadFromFile) entry(cuLibraryUnload) entry(cuLibraryGetKernel) entry(cuLibraryGetKernelCount)        \
  entry(cuLibraryEnumerateKernels) entry(cuLibraryGetModule) entry(cuLibraryGetGlobal) entry(cuKernelGetFunction)     \
  entry(cuKernelGetName) entry(cuKernelGetAttribute) entry(cuKernelSetAttribute) entry(cuKernelGetParamInfo)          \
  entry(cuLinkCreate) entry(cuLinkAddData) entry(cuLinkAddFile) entry(cuLinkComplete) entry(cuLinkDestroy)            \
  entry(cuFuncGetAttribute) entry(cuFuncSetAttribute) entry(cuFuncGetModule) entry(cuFuncGetName)                     \
  entry(cuFuncGetParamInfo) entry(cuFuncSetCacheConfig) entry(cuFuncSetSharedMemConfig) entry(cuLaunchKernel)         \
  entry(cuLaunchKernelEx) entry(cuLaunchCooperativeKernel) entry(cuOccupancyMaxActiveBlocksPerMultiprocessor)         \
  entry(cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags) entry(cuOccupancyMaxPotentialBlockSize)                 \
  entry(cuOccupancyMaxPotentialBlockSizeWithFlags) entry(cuOccupancyAvailableDynamicSMemPerBlock)                     \
  entry(cuTensorMapEncodeTiled) entry(cuGetProcAddress)

#define HIRACE_POINTER(name) typedef decltype(&name) PFN_##name;
HIRACE_DRIVER_FUNCTIONS(HIRACE_POINTER)
#undef HIRACE_POINTER
typedef PFN_cuTensorMapEncodeTiled PFN_cuTensorMapEncodeTiled_v12000;

namespace hirace::cpu::driver {

// The table below names these in place of the driver's: without them, every program with <cuda.h> would count as one
// that creates streams (note_other_stream()), and its launches would be followed as if they could overlap.
inline CUresult cuStreamCreateWithPriority(CUstream* stream, unsigned int flags, int priority) {
  return driver_result(create_stream(stream, flags, priority));
}
inline CUresult cuStreamCreate(CUstream* stream, unsigned int flags) { return driver_result(create_stream(stream, flags, 0)); }

// Null if the executor has none of that name.
inline void* function_named(const char* name) {
  struct Entry {
    const char* name;
    void* function;
  };
#define HIRACE_ENTRY(name) {#name, reinterpret_cast<void*>(&name)},
  static const Entry entries[] = {HIRACE_DRIVER_FUNCTIONS(HIRACE_ENTRY)};
#undef HIRACE_ENTRY
  if (std::strncmp(name, "cuStreamCreate", std::strlen("cuStreamCreate")) == 0) expect_other_streams();
  for (const Entry& entry : entries) {
    if (std::strcmp(entry.name, name) == 0) return entry.function;
  }
  return nullptr;
}

inline const bool functions_are_known = (find_driver_function = function_named) != nullptr;

}  // namespace hirace::cpu::driver

inline CUresult cuGetProcAddress(const char* name, void** function, int, std::uint64_t, CUdriverProcAddressQueryResult* found) {
  if (name == nullptr || function == nullptr) return CUDA_ERROR_INVALID_VALUE;
  *function = hirace::cpu::driver::function_named(name);
  const bool has = *function != nullptr;
  if (found != nullptr) *found = has ? CU_GET_PROC_ADDRESS_SUCCESS : CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND;
  return has ? CUDA_SUCCESS : CUDA_ERROR_NOT_FOUND;
}
