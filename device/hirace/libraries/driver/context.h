// The driver API's devices, contexts and errors. The only device has one context, its primary one, which every
// host thread uses: what is set or created here is that one.
#pragma once

#include <cstring>

#include "types.h"

namespace hirace::cpu {

// A handle that is not null.
inline CUcontext primary_context() {
  static char place;
  return reinterpret_cast<CUcontext>(&place);
}

}  // namespace hirace::cpu

inline CUresult cuInit(unsigned int flags) { return flags == 0 ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE; }
inline CUresult cuDriverGetVersion(int* version) { return hirace::cpu::driver_result(cudaDriverGetVersion(version)); }

inline CUresult cuGetErrorName(CUresult error, const char** name) {
  switch (error) {
#define HIRACE_CASE(error_name, number) \
  case error_name: *name = #error_name; return CUDA_SUCCESS;
    HIRACE_DRIVER_ERRORS(HIRACE_CASE)
#undef HIRACE_CASE
  }
  *name = nullptr;
  return CUDA_ERROR_INVALID_VALUE;
}
inline CUresult cuGetErrorString(CUresult error, const char** text) {
  const char* name = nullptr;
  const CUresult result = cuGetErrorName(error, &name);
  *text = result == CUDA_SUCCESS ? cudaGetErrorString(static_cast<cudaError_t>(static_cast<int>(error))) : nullptr;
  return result;
}

inline CUresult cuDeviceGetCount(int* count) { return hirace::cpu::driver_result(cudaGetDeviceCount(count)); }
inline CUresult cuDeviceGet(CUdevice* device, int ordinal) {
  if (ordinal != 0) return CUDA_ERROR_INVALID_DEVICE;
  *device = 0;
  return CUDA_SUCCESS;
}
inline CUresult cuDeviceGetAttribute(int* value, CUdevice_attribute attribute, CUdevice device) {
  return hirace::cpu::driver_result(cudaDeviceGetAttribute(value, static_cast<cudaDeviceAttr>(attribute), device));
}
inline CUresult cuDeviceGetName(char* name, int bytes, CUdevice device) {
  cudaDeviceProp properties;
  const CUresult result = hirace::cpu::driver_result(cudaGetDeviceProperties(&properties, device));
  if (result != CUDA_SUCCESS || bytes <= 0) return result;
  const std::size_t length = std::strlen(properties.name), room = static_cast<std::size_t>(bytes) - 1;
  const std::size_t copied = length < room ? length : room;
  std::memcpy(name, properties.name, copied);
  name[copied] = '\0';
  return CUDA_SUCCESS;
}
inline CUresult cuDeviceTotalMem(std::size_t* bytes, CUdevice device) {
  cudaDeviceProp properties;
  const CUresult result = hirace::cpu::driver_result(cudaGetDeviceProperties(&properties, device));
  if (result == CUDA_SUCCESS) *bytes = properties.totalGlobalMem;
  return result;
}
inline CUresult cuDeviceComputeCapability(int* major, int* minor, CUdevice device) {
  const CUresult result = cuDeviceGetAttribute(major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, device);
  return result != CUDA_SUCCESS ? result : cuDeviceGetAttribute(minor, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, device);
}
inline CUresult cuDeviceGetUuid(CUuuid* uuid, CUdevice device) {
  if (device != 0) return CUDA_ERROR_INVALID_DEVICE;
  std::memset(uuid, 0, sizeof *uuid);
  return CUDA_SUCCESS;
}
inline CUresult cuDeviceGetPCIBusId(char* text, int bytes, CUdevice device) {
  return hirace::cpu::driver_result(cudaDeviceGetPCIBusId(text, bytes, device));
}
inline CUresult cuDeviceCanAccessPeer(int* can, CUdevice from, CUdevice to) {
  return hirace::cpu::driver_result(cudaDeviceCanAccessPeer(can, from, to));
}

inline CUresult cuDevicePrimaryCtxRetain(CUcontext* context, CUdevice device) {
  if (device != 0) return CUDA_ERROR_INVALID_DEVICE;
  *context = hirace::cpu::primary_context();
  return CUDA_SUCCESS;
}
inline CUresult cuDevicePrimaryCtxRelease(CUdevice device) { return device == 0 ? CUDA_SUCCESS : CUDA_ERROR_INVALID_DEVICE; }
inline CUresult cuDevicePrimaryCtxSetFlags(CUdevice device, unsigned int) { return cuDevicePrimaryCtxRelease(device); }
inline CUresult cuDevicePrimaryCtxGetState(CUdevice device, unsigned int* flags, int* active) {
  *flags = 0;
  *active = 1;
  return cuDevicePrimaryCtxRelease(device);
}
inline CUresult cuDevicePrimaryCtxReset(CUdevice device) {
  return device == 0 ? hirace::cpu::driver_result(cudaDeviceReset()) : CUDA_ERROR_INVALID_DEVICE;
}

inline CUresult cuCtxCreate(CUcontext* context, unsigned int, CUdevice device) { return cuDevicePrimaryCtxRetain(context, device); }
inline CUresult cuCtxSetCurrent(CUcontext context) {
  return context == nullptr || context == hirace::cpu::primary_context() ? CUDA_SUCCESS : CUDA_ERROR_INVALID_CONTEXT;
}
inline CUresult cuCtxDestroy(CUcontext context) { return context == nullptr ? CUDA_ERROR_INVALID_VALUE : cuCtxSetCurrent(context); }
inline CUresult cuCtxPushCurrent(CUcontext context) { return cuCtxSetCurrent(context); }
inline CUresult cuCtxPopCurrent(CUcontext* context) {
  if (context != nullptr) *context = hirace::cpu::primary_context();
  return CUDA_SUCCESS;
}
inline CUresult cuCtxGetCurrent(CUcontext* context) { return cuCtxPopCurrent(context); }
inline CUresult cuCtxGetDevice(CUdevice* device) { return cuDeviceGet(device, 0); }
inline CUresult cuCtxGetFlags(unsigned int* flags) { return hirace::cpu::driver_result(cudaGetDeviceFlags(flags)); }
inline CUresult cuCtxSynchronize() { return hirace::cpu::driver_result(cudaDeviceSynchronize()); }
inline CUresult cuCtxGetApiVersion(CUcontext, unsigned int* version) {
  *version = CUDA_VERSION;
  return CUDA_SUCCESS;
}
inline CUresult cuCtxSetLimit(CUlimit limit, std::size_t value) {
  return hirace::cpu::driver_result(cudaDeviceSetLimit(static_cast<cudaLimit>(limit), value));
}
inline CUresult cuCtxGetLimit(std::size_t* value, CUlimit limit) {
  return hirace::cpu::driver_result(cudaDeviceGetLimit(value, static_cast<cudaLimit>(limit)));
}
inline CUresult cuCtxSetCacheConfig(CUfunc_cache) { return CUDA_SUCCESS; }
inline CUresult cuCtxGetStreamPriorityRange(int* least, int* greatest) {
  return hirace::cpu::driver_result(cudaDeviceGetStreamPriorityRange(least, greatest));
}
