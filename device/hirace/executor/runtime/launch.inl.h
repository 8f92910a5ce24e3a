// The definitions of launch.h.
#pragma once

#include "kernel_registry.inl.h"
#include "launch.h"

namespace hirace::cpu {

HIRACE_RUNTIME LaunchInfo launch_by_variable(const void* address) {
  const KnownKernel* const known = kernel_registry().find(address);
  return at_call(known != nullptr ? known->info : LaunchInfo{"kernel launched by pointer", unknown_site, true, monitor_both, 0, 0xffffffffu});
}
HIRACE_RUNTIME cudaError_t launch_unknown(const void* kernel, const LaunchShape& shape, void** arguments, const char* caller) {
  const KnownKernel* const known = kernel_registry().find(kernel, caller);
  if (known == nullptr) return set_error(cudaErrorInvalidDeviceFunction);
  if (const cudaError_t error = check_residency(shape)) return error;
  const std::shared_ptr<void> bound(known->type.bind(kernel, arguments), known->type.destroy);
  return launch_shared(at_call(known->info), shape, known->type.run, bound);
}
HIRACE_RUNTIME cudaError_t shape_of(const cudaLaunchConfig_t* config, LaunchShape& shape) {
  if (config == nullptr || (config->numAttrs != 0 && config->attrs == nullptr)) return set_error(cudaErrorInvalidValue);
  shape = {config->gridDim, config->blockDim, config->dynamicSmemBytes, config->stream, false};
  for (unsigned i = 0; i < config->numAttrs; ++i) {
    const cudaLaunchAttribute& attribute = config->attrs[i];
    switch (attribute.id) {
      case cudaLaunchAttributeCooperative: shape.cooperative = attribute.val.cooperative != 0; break;
      case cudaLaunchAttributeClusterDimension:
        shape.cluster = dim3(attribute.val.clusterDim.x, attribute.val.clusterDim.y, attribute.val.clusterDim.z);
        break;
      case cudaLaunchAttributeProgrammaticStreamSerialization:
        shape.early = attribute.val.programmaticStreamSerializationAllowed != 0;
        break;
      case cudaLaunchAttributeProgrammaticEvent:
      case cudaLaunchAttributeLaunchCompletionEvent:
      case cudaLaunchAttributeDeviceUpdatableKernelNode:
        return not_supported("a launch attribute for events or for device-updatable nodes", "record an event after the launch");
      default: break;
    }
  }
  return cudaSuccess;
}

HIRACE_RUNTIME void trigger_next_launch() { __atomic_store_n(&current_launch.triggers, true, __ATOMIC_RELAXED); }

}  // namespace hirace::cpu

HIRACE_RUNTIME cudaError_t cudaLaunchKernel(const void* kernel, dim3 grid, dim3 block, void** arguments, std::size_t dynamic_shared,
                                            cudaStream_t stream) {
  return hirace::cpu::launch_unknown(kernel, {grid, block, dynamic_shared, stream, false}, arguments, "cudaLaunchKernel");
}
HIRACE_RUNTIME cudaError_t cudaLaunchCooperativeKernel(const void* kernel, dim3 grid, dim3 block, void** arguments,
                                                       std::size_t dynamic_shared, cudaStream_t stream) {
  return hirace::cpu::launch_unknown(kernel, {grid, block, dynamic_shared, stream, true}, arguments, "cudaLaunchCooperativeKernel");
}
HIRACE_RUNTIME cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t* config, const void* kernel, void** arguments) {
  hirace::cpu::LaunchShape shape;
  if (const cudaError_t error = hirace::cpu::shape_of(config, shape)) return error;
  return hirace::cpu::launch_unknown(kernel, shape, arguments, "cudaLaunchKernelExC");
}
HIRACE_RUNTIME cudaError_t cudaStreamSetAttribute(cudaStream_t, cudaStreamAttrID, const cudaStreamAttrValue* value) {
  return value != nullptr ? cudaSuccess : hirace::cpu::set_error(cudaErrorInvalidValue);
}
