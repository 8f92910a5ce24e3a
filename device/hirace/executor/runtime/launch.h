// Launches by function call: cudaLaunchKernel and its variants.
#pragma once

#include "function.h"
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

// The kernel at `address`, launched by the call that has just begun; a kernel whose address no cast has registered has no name.
LaunchInfo launch_by_variable(const void* address);

// Replaces cudaLaunchKernel and cudaLaunchCooperativeKernel if the source names the kernel.
template <class... Parameters>
cudaError_t launch_kernel(const LaunchInfo& info, void (*kernel)(Parameters...), dim3 grid, dim3 block, void** arguments,
                          std::size_t dynamic_shared = 0, cudaStream_t stream = nullptr) {
  return launch_address(info, kernel, {grid, block, dynamic_shared, stream, false}, arguments);
}
template <class... Parameters>
cudaError_t launch_cooperative_kernel(const LaunchInfo& info, void (*kernel)(Parameters...), dim3 grid, dim3 block, void** arguments,
                                      std::size_t dynamic_shared = 0, cudaStream_t stream = nullptr) {
  return launch_address(info, kernel, {grid, block, dynamic_shared, stream, true}, arguments);
}

// If only the address is known, the type must have been registered elsewhere.
cudaError_t launch_unknown(const void* kernel, const LaunchShape& shape, void** arguments, const char* caller);

// Attributes that affect only speed are ignored.
cudaError_t shape_of(const cudaLaunchConfig_t* config, LaunchShape& shape);

template <class... Parameters, class... Arguments>
cudaError_t launch_kernel_ex(const LaunchInfo& info, const cudaLaunchConfig_t* config, void (*kernel)(Parameters...),
                             Arguments&&... arguments) {
  LaunchShape shape;
  if (const cudaError_t error = shape_of(config, shape)) return error;
  // Converted to the kernel's types, as by a call.
  using Bound = BoundKernelOf<Parameters...>;
  return launch_bound(info, shape, Bound(reinterpret_cast<typename Bound::Kernel>(kernel), static_cast<Arguments&&>(arguments)...));
}

}  // namespace hirace::cpu

// Launches of a kernel whose type is known, and of one that is only an address.
template <class... Parameters>
cudaError_t cudaLaunchKernel(void (*kernel)(Parameters...), dim3 grid, dim3 block, void** arguments, std::size_t dynamic_shared = 0,
                             cudaStream_t stream = nullptr) {
  return hirace::cpu::launch_kernel(hirace::cpu::launch_by_variable(reinterpret_cast<const void*>(kernel)), kernel, grid, block, arguments, dynamic_shared, stream);
}
cudaError_t cudaLaunchKernel(const void* kernel, dim3 grid, dim3 block, void** arguments, std::size_t dynamic_shared = 0,
                             cudaStream_t stream = nullptr);
template <class... Parameters>
cudaError_t cudaLaunchCooperativeKernel(void (*kernel)(Parameters...), dim3 grid, dim3 block, void** arguments,
                                        std::size_t dynamic_shared = 0, cudaStream_t stream = nullptr) {
  return hirace::cpu::launch_cooperative_kernel(hirace::cpu::launch_by_variable(reinterpret_cast<const void*>(kernel)), kernel, grid, block, arguments, dynamic_shared, stream);
}
cudaError_t cudaLaunchCooperativeKernel(const void* kernel, dim3 grid, dim3 block, void** arguments, std::size_t dynamic_shared = 0,
                                        cudaStream_t stream = nullptr);
template <class... Parameters, class... Arguments>
cudaError_t cudaLaunchKernelEx(const cudaLaunchConfig_t* config, void (*kernel)(Parameters...), Arguments&&... arguments) {
  return hirace::cpu::launch_kernel_ex(hirace::cpu::launch_by_variable(reinterpret_cast<const void*>(kernel)), config, kernel, static_cast<Arguments&&>(arguments)...);
}
cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t* config, const void* kernel, void** arguments);

// The largest cluster that every device runs.
template <class Kernel>
cudaError_t cudaOccupancyMaxPotentialClusterSize(int* size, Kernel, const cudaLaunchConfig_t* config) {
  if (size == nullptr || config == nullptr) return hirace::cpu::set_error(cudaErrorInvalidValue);
  *size = 8;
  return cudaSuccess;
}
template <class Kernel>
cudaError_t cudaOccupancyMaxActiveClusters(int* clusters, Kernel kernel, const cudaLaunchConfig_t* config) {
  hirace::cpu::LaunchShape shape;
  if (clusters == nullptr) return hirace::cpu::set_error(cudaErrorInvalidValue);
  if (const cudaError_t error = hirace::cpu::shape_of(config, shape)) return error;
  int blocks = 0;
  const auto threads = static_cast<int>(shape.block.x * shape.block.y * shape.block.z);
  if (const cudaError_t error = cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, threads, shape.dynamic_shared)) return error;
  *clusters = blocks * hirace::cpu::multiprocessors / static_cast<int>(shape.cluster.x * shape.cluster.y * shape.cluster.z);
  return cudaSuccess;
}

// Cache residency and the way of waiting affect only speed.
cudaError_t cudaStreamSetAttribute(cudaStream_t, cudaStreamAttrID, const cudaStreamAttrValue* value);

namespace hirace::cpu {

void wait_for_launch_before();
void trigger_next_launch();

}  // namespace hirace::cpu

// Kernels of one stream run one after the other, so the previous one is complete. What would not be ordered
// follows from these calls (check/stream_order.h).
inline void cudaGridDependencySynchronize() { hirace::cpu::wait_for_launch_before(); }
__attribute__((always_inline)) inline void cudaTriggerProgrammaticLaunchCompletion() {
  // As note_other_stream(): marks the program if this is compiled into it.
  asm volatile(".pushsection hirace_triggers,\"a\"\n\t.byte 1\n\t.popsection");
  hirace::cpu::trigger_next_launch();
}
