// Launches by function call: cudaLaunchKernel and its relatives.
#pragma once

#include "kernel_registry.h"

constexpr unsigned int cudaCooperativeLaunchMultiDeviceNoPreSync = 1, cudaCooperativeLaunchMultiDeviceNoPostSync = 2;

enum cudaLaunchAttributeID {
  cudaLaunchAttributeIgnore = 0,
  cudaLaunchAttributeAccessPolicyWindow = 1,
  cudaLaunchAttributeCooperative = 2,
  cudaLaunchAttributeSynchronizationPolicy = 3,
  cudaLaunchAttributeClusterDimension = 4,
  cudaLaunchAttributeClusterSchedulingPolicyPreference = 5,
  cudaLaunchAttributeProgrammaticStreamSerialization = 6,
  cudaLaunchAttributeProgrammaticEvent = 7,
  cudaLaunchAttributePriority = 8,
  cudaLaunchAttributeMemSyncDomainMap = 9,
  cudaLaunchAttributeMemSyncDomain = 10,
  cudaLaunchAttributePreferredClusterDimension = 11,
  cudaLaunchAttributeLaunchCompletionEvent = 12,
  cudaLaunchAttributeDeviceUpdatableKernelNode = 13,
  cudaLaunchAttributePreferredSharedMemoryCarveout = 14
};
enum cudaAccessProperty { cudaAccessPropertyNormal = 0, cudaAccessPropertyStreaming = 1, cudaAccessPropertyPersisting = 2 };
struct cudaAccessPolicyWindow {
  void* base_ptr;
  std::size_t num_bytes;
  float hitRatio;
  cudaAccessProperty hitProp, missProp;
};
enum cudaSynchronizationPolicy {
  cudaSyncPolicyAuto = 1,
  cudaSyncPolicySpin = 2,
  cudaSyncPolicyYield = 3,
  cudaSyncPolicyBlockingSync = 4
};
union cudaLaunchAttributeValue {
  char pad[64];
  cudaAccessPolicyWindow accessPolicyWindow;
  int cooperative;
  cudaSynchronizationPolicy syncPolicy;
  struct {
    unsigned int x, y, z;
  } clusterDim;
  int programmaticStreamSerializationAllowed;
  int priority;
  unsigned int sharedMemCarveout;
};
struct cudaLaunchAttribute {
  cudaLaunchAttributeID id;
  cudaLaunchAttributeValue val;
};
struct cudaLaunchConfig_t {
  dim3 gridDim;
  dim3 blockDim;
  std::size_t dynamicSmemBytes;
  cudaStream_t stream;
  cudaLaunchAttribute* attrs;
  unsigned int numAttrs;
};
typedef cudaLaunchAttributeID cudaStreamAttrID;
typedef cudaLaunchAttributeValue cudaStreamAttrValue;
typedef cudaLaunchAttributeID cudaKernelNodeAttrID;
typedef cudaLaunchAttributeValue cudaKernelNodeAttrValue;
#define cudaStreamAttributeAccessPolicyWindow cudaLaunchAttributeAccessPolicyWindow
#define cudaStreamAttributeSynchronizationPolicy cudaLaunchAttributeSynchronizationPolicy
#define cudaStreamAttributePriority cudaLaunchAttributePriority

namespace hirace::cpu {

constexpr LaunchInfo launch_by_variable{"kernel launched by pointer", unknown_site, true, monitor_both, 0, 0xffffffffu};

// What cudaLaunchKernel and its relative become where the source names the kernel.
template <class... Parameters>
cudaError_t launch_kernel(const LaunchInfo& info, void (*kernel)(Parameters...), dim3 grid, dim3 block, void** arguments,
                          std::size_t dynamic_shared = 0, cudaStream_t stream = nullptr) {
  return launch_address<Parameters...>(info, reinterpret_cast<const void*>(kernel), {grid, block, dynamic_shared, stream, false}, arguments);
}
template <class... Parameters>
cudaError_t launch_cooperative_kernel(const LaunchInfo& info, void (*kernel)(Parameters...), dim3 grid, dim3 block, void** arguments,
                                      std::size_t dynamic_shared = 0, cudaStream_t stream = nullptr) {
  return launch_address<Parameters...>(info, reinterpret_cast<const void*>(kernel), {grid, block, dynamic_shared, stream, true}, arguments);
}

// Where only the address is known, the type has to have been seen elsewhere.
inline cudaError_t launch_unknown(const void* kernel, const LaunchShape& shape, void** arguments, const char* caller) {
  const KernelAddress* const known = kernel_registry().find(kernel, caller);
  return known != nullptr ? known->launch(known->info, kernel, shape, arguments) : set_error(cudaErrorInvalidDeviceFunction);
}

// Attributes that say how fast, not what, need nothing.
inline cudaError_t shape_of(const cudaLaunchConfig_t* config, LaunchShape& shape) {
  if (config == nullptr || (config->numAttrs != 0 && config->attrs == nullptr)) return set_error(cudaErrorInvalidValue);
  shape = {config->gridDim, config->blockDim, config->dynamicSmemBytes, config->stream, false};
  for (unsigned i = 0; i < config->numAttrs; ++i) {
    const cudaLaunchAttribute& attribute = config->attrs[i];
    switch (attribute.id) {
      case cudaLaunchAttributeCooperative: shape.cooperative = attribute.val.cooperative != 0; break;
      case cudaLaunchAttributeClusterDimension:
        if (attribute.val.clusterDim.x * attribute.val.clusterDim.y * attribute.val.clusterDim.z > 1) {
          return not_supported("cudaLaunchAttributeClusterDimension", "launch without thread block clusters");
        }
        break;
      case cudaLaunchAttributeProgrammaticEvent:
      case cudaLaunchAttributeLaunchCompletionEvent:
      case cudaLaunchAttributeDeviceUpdatableKernelNode:
        return not_supported("a launch attribute for events or nodes that kernels update", "record an event after the launch");
      default: break;
    }
  }
  return cudaSuccess;
}

template <class... Parameters, class... Arguments>
cudaError_t launch_kernel_ex(const LaunchInfo& info, const cudaLaunchConfig_t* config, void (*kernel)(Parameters...),
                             Arguments&&... arguments) {
  LaunchShape shape;
  if (const cudaError_t error = shape_of(config, shape)) return error;
  // Converted to the kernel's types, as by a call.
  return launch_typed(info, kernel, shape, std::make_shared<ArgumentValues<Parameters...>>(static_cast<Arguments&&>(arguments)...));
}

}  // namespace hirace::cpu

// Launches of a kernel that keeps its type, and of one that is only an address.
template <class... Parameters>
cudaError_t cudaLaunchKernel(void (*kernel)(Parameters...), dim3 grid, dim3 block, void** arguments, std::size_t dynamic_shared = 0,
                             cudaStream_t stream = nullptr) {
  return hirace::cpu::launch_kernel(hirace::cpu::launch_by_variable, kernel, grid, block, arguments, dynamic_shared, stream);
}
inline cudaError_t cudaLaunchKernel(const void* kernel, dim3 grid, dim3 block, void** arguments, std::size_t dynamic_shared = 0,
                                    cudaStream_t stream = nullptr) {
  return hirace::cpu::launch_unknown(kernel, {grid, block, dynamic_shared, stream, false}, arguments, "cudaLaunchKernel");
}
template <class... Parameters>
cudaError_t cudaLaunchCooperativeKernel(void (*kernel)(Parameters...), dim3 grid, dim3 block, void** arguments,
                                        std::size_t dynamic_shared = 0, cudaStream_t stream = nullptr) {
  return hirace::cpu::launch_cooperative_kernel(hirace::cpu::launch_by_variable, kernel, grid, block, arguments, dynamic_shared, stream);
}
inline cudaError_t cudaLaunchCooperativeKernel(const void* kernel, dim3 grid, dim3 block, void** arguments,
                                               std::size_t dynamic_shared = 0, cudaStream_t stream = nullptr) {
  return hirace::cpu::launch_unknown(kernel, {grid, block, dynamic_shared, stream, true}, arguments, "cudaLaunchCooperativeKernel");
}
template <class... Parameters, class... Arguments>
cudaError_t cudaLaunchKernelEx(const cudaLaunchConfig_t* config, void (*kernel)(Parameters...), Arguments&&... arguments) {
  return hirace::cpu::launch_kernel_ex(hirace::cpu::launch_by_variable, config, kernel, static_cast<Arguments&&>(arguments)...);
}
inline cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t* config, const void* kernel, void** arguments) {
  hirace::cpu::LaunchShape shape;
  if (const cudaError_t error = hirace::cpu::shape_of(config, shape)) return error;
  return hirace::cpu::launch_unknown(kernel, shape, arguments, "cudaLaunchKernelExC");
}

// How much of a stream's data stays in a cache, and how its waits are done, is speed alone.
inline cudaError_t cudaStreamSetAttribute(cudaStream_t, cudaStreamAttrID, const cudaStreamAttrValue* value) {
  return value != nullptr ? cudaSuccess : hirace::cpu::set_error(cudaErrorInvalidValue);
}

// Kernels of one stream run one after the other, so the one before is complete.
inline void cudaGridDependencySynchronize() {}
inline void cudaTriggerProgrammaticLaunchCompletion() {}
