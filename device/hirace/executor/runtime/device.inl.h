// The definitions of device.h.
#pragma once

#include <cstdio>
#include <cstring>

#include "../check/monitor.h"
#include "../host/unmet_needs.h"
#include "device.h"
#include "device_attributes.inl.h"
#include "stream_work.h"

namespace hirace::cpu {

inline cudaError_t check_device(int device) {
  if (device == 0) return cudaSuccess;
  char number[16];
  std::snprintf(number, sizeof number, "%d", device);
  note_unmet_need("device", number);
  return set_error(cudaErrorInvalidDevice);
}

}  // namespace hirace::cpu

HIRACE_RUNTIME cudaError_t cudaGetDeviceCount(int* count) {
  if (count == nullptr) return hirace::cpu::set_error(cudaErrorInvalidValue);
  *count = 1;
  static const bool noted = (hirace::cpu::note_unmet_need("devices", ""), true);
  (void)noted;
  return cudaSuccess;
}
HIRACE_RUNTIME cudaError_t cudaSetDevice(int device) { return hirace::cpu::check_device(device); }
HIRACE_RUNTIME cudaError_t cudaGetDevice(int* device) {
  if (device == nullptr) return hirace::cpu::set_error(cudaErrorInvalidValue);
  *device = 0;
  return cudaSuccess;
}
HIRACE_RUNTIME cudaError_t cudaChooseDevice(int* device, const cudaDeviceProp*) { return cudaGetDevice(device); }
HIRACE_RUNTIME cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int device) {
  if (properties == nullptr) return hirace::cpu::set_error(cudaErrorInvalidValue);
  if (const cudaError_t error = hirace::cpu::check_device(device)) return error;
  *properties = hirace::cpu::device_properties();
  return cudaSuccess;
}
HIRACE_RUNTIME cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int device) {
  if (value == nullptr) return hirace::cpu::set_error(cudaErrorInvalidValue);
  if (const cudaError_t error = hirace::cpu::check_device(device)) return error;
  return hirace::cpu::device_attribute(attribute, *value) ? cudaSuccess : hirace::cpu::set_error(cudaErrorInvalidValue);
}
HIRACE_RUNTIME cudaError_t cudaInitDevice(int device, unsigned int, unsigned int) { return hirace::cpu::check_device(device); }
HIRACE_RUNTIME cudaError_t cudaSetValidDevices(int* devices, int count) {
  return devices != nullptr && count == 1 && devices[0] == 0 ? cudaSuccess : hirace::cpu::set_error(cudaErrorInvalidDevice);
}
__attribute__((noinline)) HIRACE_RUNTIME cudaError_t cudaDeviceSynchronize() {
  if (hirace::cpu::monitor.in_kernel) {
    const auto* const return_address = static_cast<const char*>(__builtin_return_address(0));
    hirace::cpu::fail_at(hirace::Fault::waits_for_children, hirace::unknown_site, 0, return_address - 1);
  }
  if (const cudaError_t error = hirace::cpu::check_no_capture()) return error;
  hirace::cpu::stream_order().host_waits_for_all();
  return cudaSuccess;
}
HIRACE_RUNTIME cudaError_t cudaDeviceReset() {
  hirace::cpu::stream_order().host_waits_for_all();
  {
    const std::lock_guard lock(hirace::cpu::launches_and_calls);
    hirace::cpu::stream_allocations().clear();
  }
  hirace::cpu::device_heap().release_all();
  hirace::cpu::last_error = cudaSuccess;
  return cudaSuccess;
}

namespace hirace::cpu {

inline unsigned int device_flags = cudaDeviceScheduleAuto;

}

HIRACE_RUNTIME cudaError_t cudaSetDeviceFlags(unsigned int flags) {
  hirace::cpu::device_flags = flags;
  return cudaSuccess;
}
HIRACE_RUNTIME cudaError_t cudaGetDeviceFlags(unsigned int* flags) {
  if (flags == nullptr) return hirace::cpu::set_error(cudaErrorInvalidValue);
  *flags = hirace::cpu::device_flags | cudaDeviceMapHost;
  return cudaSuccess;
}

namespace hirace::cpu {

// Indexed by limit. Programs read back what they set; HIRACE_STACK_BYTES sets the size of stacks,
// and printf and malloc in kernels have no limit.
inline std::size_t device_limits[] = {1024, std::size_t{1} << 20, std::size_t{8} << 20, 2, 2048, 128, 0};

}  // namespace hirace::cpu

HIRACE_RUNTIME cudaError_t cudaDeviceSetLimit(cudaLimit limit, std::size_t value) {
  if (limit < cudaLimitStackSize || limit > cudaLimitPersistingL2CacheSize || limit == cudaLimitDevRuntimeSyncDepth) {
    return hirace::cpu::set_error(cudaErrorUnsupportedLimit);
  }
  hirace::cpu::device_limits[limit] = value;
  return cudaSuccess;
}
HIRACE_RUNTIME cudaError_t cudaDeviceGetLimit(std::size_t* value, cudaLimit limit) {
  if (value == nullptr) return hirace::cpu::set_error(cudaErrorInvalidValue);
  if (limit < cudaLimitStackSize || limit > cudaLimitPersistingL2CacheSize) return hirace::cpu::set_error(cudaErrorUnsupportedLimit);
  *value = hirace::cpu::device_limits[limit];
  return cudaSuccess;
}
HIRACE_RUNTIME cudaError_t cudaCtxResetPersistingL2Cache() { return cudaSuccess; }
HIRACE_RUNTIME cudaError_t cudaDeviceGetPCIBusId(char* text, int bytes, int device) {
  if (text == nullptr || bytes < 13) return hirace::cpu::set_error(cudaErrorInvalidValue);
  if (const cudaError_t error = hirace::cpu::check_device(device)) return error;
  std::snprintf(text, static_cast<std::size_t>(bytes), "0000:00:00.0");
  return cudaSuccess;
}
HIRACE_RUNTIME cudaError_t cudaDeviceGetByPCIBusId(int* device, const char* text) {
  if (device == nullptr || text == nullptr) return hirace::cpu::set_error(cudaErrorInvalidValue);
  if (std::strncmp(text, "0000:00:00", 10) != 0 && std::strncmp(text, "00:00", 5) != 0) return hirace::cpu::set_error(cudaErrorInvalidDevice);
  *device = 0;
  return cudaSuccess;
}
HIRACE_RUNTIME cudaError_t cudaDeviceGetP2PAttribute(int* value, cudaDeviceP2PAttr, int source, int target) {
  if (value == nullptr) return hirace::cpu::set_error(cudaErrorInvalidValue);
  // A device is not its own peer.
  return source == target || source != 0 || target != 0 ? hirace::cpu::set_error(cudaErrorInvalidDevice) : cudaSuccess;
}
HIRACE_RUNTIME cudaError_t cudaDeviceSetCacheConfig(cudaFuncCache) { return cudaSuccess; }
HIRACE_RUNTIME cudaError_t cudaDeviceGetCacheConfig(cudaFuncCache* config) {
  if (config == nullptr) return hirace::cpu::set_error(cudaErrorInvalidValue);
  *config = cudaFuncCachePreferNone;
  return cudaSuccess;
}
HIRACE_RUNTIME cudaError_t cudaDeviceSetSharedMemConfig(cudaSharedMemConfig) { return cudaSuccess; }
HIRACE_RUNTIME cudaError_t cudaDeviceGetSharedMemConfig(cudaSharedMemConfig* config) {
  if (config == nullptr) return hirace::cpu::set_error(cudaErrorInvalidValue);
  *config = cudaSharedMemBankSizeFourByte;
  return cudaSuccess;
}
HIRACE_RUNTIME cudaError_t cudaDeviceCanAccessPeer(int* can, int, int) {
  if (can == nullptr) return hirace::cpu::set_error(cudaErrorInvalidValue);
  *can = 0;
  return cudaSuccess;
}
HIRACE_RUNTIME cudaError_t cudaDeviceEnablePeerAccess(int, unsigned int) { return hirace::cpu::set_error(cudaErrorInvalidDevice); }
HIRACE_RUNTIME cudaError_t cudaDeviceDisablePeerAccess(int) { return hirace::cpu::set_error(cudaErrorInvalidDevice); }
HIRACE_RUNTIME cudaError_t cudaThreadSynchronize() { return cudaDeviceSynchronize(); }
HIRACE_RUNTIME cudaError_t cudaThreadExit() { return cudaDeviceReset(); }
HIRACE_RUNTIME cudaError_t cudaThreadSetLimit(cudaLimit limit, std::size_t value) { return cudaDeviceSetLimit(limit, value); }
HIRACE_RUNTIME cudaError_t cudaThreadGetLimit(std::size_t* value, cudaLimit limit) { return cudaDeviceGetLimit(value, limit); }
HIRACE_RUNTIME cudaError_t cudaThreadSetCacheConfig(cudaFuncCache config) { return cudaDeviceSetCacheConfig(config); }
HIRACE_RUNTIME cudaError_t cudaThreadGetCacheConfig(cudaFuncCache* config) { return cudaDeviceGetCacheConfig(config); }
HIRACE_RUNTIME cudaError_t cudaDriverGetVersion(int* version) {
  if (version == nullptr) return hirace::cpu::set_error(cudaErrorInvalidValue);
  *version = hirace::cpu::cuda_version;
  return cudaSuccess;
}
HIRACE_RUNTIME cudaError_t cudaRuntimeGetVersion(int* version) { return cudaDriverGetVersion(version); }
HIRACE_RUNTIME cudaError_t cudaProfilerStart() { return cudaSuccess; }
HIRACE_RUNTIME cudaError_t cudaProfilerStop() { return cudaSuccess; }
