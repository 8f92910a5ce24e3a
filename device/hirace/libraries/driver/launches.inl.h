// The definitions of modules.h that launch kernels and tell of them.
#pragma once

#include "modules.inl.h"

namespace hirace::cpu::driver {

// How a program gives the arguments of a launch: their addresses, or a buffer that holds them all.
class Arguments {
 public:
  Arguments(const loaded::Kernel& kernel, void** parameters, void** extra) {
    for (const loaded::Parameter& it : kernel.parameters) end_ = it.offset + it.bytes;
    if (parameters != nullptr || kernel.parameters.empty()) {
      addresses_ = parameters;
      return;
    }
    char* buffer = nullptr;
    for (; extra != nullptr && extra[0] != CU_LAUNCH_PARAM_END; extra += 2) {
      if (extra[0] == CU_LAUNCH_PARAM_BUFFER_POINTER) buffer = static_cast<char*>(extra[1]);
      if (extra[0] == CU_LAUNCH_PARAM_BUFFER_SIZE) bytes_ = *static_cast<std::size_t*>(extra[1]);
    }
    if (buffer == nullptr || bytes_ < end_) {
      valid_ = false;
      return;
    }
    for (const loaded::Parameter& it : kernel.parameters) own_.push_back(buffer + it.offset);
    addresses_ = own_.data();
  }

  bool valid() const { return valid_; }
  void** addresses() const { return addresses_; }

 private:
  std::size_t end_ = 0, bytes_ = 0;
  std::vector<void*> own_;
  void** addresses_ = nullptr;
  bool valid_ = true;
};

inline cudaError_t start(const loaded::Kernel& kernel, SiteId site, const LaunchShape& shape, void** arguments) {
  if (kernel.launch != nullptr) return kernel.launch(site, shape, arguments);
  const KnownKernel* const known = kernel_registry().find(kernel.address);
  if (known == nullptr) return cudaErrorInvalidDeviceFunction;
  if (const cudaError_t error = check_residency(shape)) return error;
  LaunchInfo info = known->info;
  info.site = site;
  const std::shared_ptr<void> bound(known->type.bind(kernel.address, arguments), known->type.destroy);
  return launch_shared(info, shape, known->type.run, bound);
}

inline CUresult launch(CUfunction function, const LaunchShape& shape, void** parameters, void** extra) {
  const SiteId site = HostCall::take();
  if (function == nullptr) return CUDA_ERROR_INVALID_HANDLE;
  const Arguments arguments(*function->kernel, parameters, extra);
  if (!arguments.valid() || shape.dynamic_shared > static_cast<std::size_t>(function->dynamic_shared)) return CUDA_ERROR_INVALID_VALUE;
  return driver_result(start(*function->kernel, site, shape, arguments.addresses()));
}

inline CUresult parameter_info(CUfunction function, std::size_t number, std::size_t* offset, std::size_t* bytes) {
  if (function == nullptr) return CUDA_ERROR_INVALID_HANDLE;
  if (number >= function->kernel->parameters.size() || offset == nullptr) return CUDA_ERROR_INVALID_VALUE;
  *offset = function->kernel->parameters[number].offset;
  if (bytes != nullptr) *bytes = function->kernel->parameters[number].bytes;
  return CUDA_SUCCESS;
}

}  // namespace hirace::cpu::driver

HIRACE_RUNTIME CUresult cuLaunchKernel(CUfunction function, unsigned int grid_x, unsigned int grid_y, unsigned int grid_z,
                                       unsigned int block_x, unsigned int block_y, unsigned int block_z, unsigned int shared,
                                       CUstream stream, void** parameters, void** extra) {
  return hirace::cpu::driver::launch(function, {dim3(grid_x, grid_y, grid_z), dim3(block_x, block_y, block_z), shared, stream, false},
                                     parameters, extra);
}
HIRACE_RUNTIME CUresult cuLaunchCooperativeKernel(CUfunction function, unsigned int grid_x, unsigned int grid_y, unsigned int grid_z,
                                                  unsigned int block_x, unsigned int block_y, unsigned int block_z, unsigned int shared,
                                                  CUstream stream, void** parameters) {
  return hirace::cpu::driver::launch(function, {dim3(grid_x, grid_y, grid_z), dim3(block_x, block_y, block_z), shared, stream, true},
                                     parameters, nullptr);
}
HIRACE_RUNTIME CUresult cuLaunchKernelEx(const CUlaunchConfig* config, CUfunction function, void** parameters, void** extra) {
  if (config == nullptr) return CUDA_ERROR_INVALID_VALUE;
  // The two structures have the same members in the same order.
  static_assert(sizeof(CUlaunchAttribute) == sizeof(cudaLaunchAttribute));
  const cudaLaunchConfig_t same{dim3(config->gridDimX, config->gridDimY, config->gridDimZ),
                                dim3(config->blockDimX, config->blockDimY, config->blockDimZ), config->sharedMemBytes, config->hStream,
                                reinterpret_cast<cudaLaunchAttribute*>(config->attrs), config->numAttrs};
  hirace::cpu::LaunchShape shape;
  if (const cudaError_t error = hirace::cpu::shape_of(&same, shape)) return hirace::cpu::driver_result(error);
  return hirace::cpu::driver::launch(function, shape, parameters, extra);
}

HIRACE_RUNTIME CUresult cuFuncGetAttribute(int* value, CUfunction_attribute attribute, CUfunction function) {
  if (value == nullptr) return CUDA_ERROR_INVALID_VALUE;
  if (function == nullptr) return CUDA_ERROR_INVALID_HANDLE;
  cudaFuncAttributes known;
  static_cast<void>(cudaFuncGetAttributes(&known, function));
  switch (attribute) {
    case CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK: *value = known.maxThreadsPerBlock; break;
    case CU_FUNC_ATTRIBUTE_NUM_REGS: *value = known.numRegs; break;
    case CU_FUNC_ATTRIBUTE_PTX_VERSION: *value = known.ptxVersion; break;
    case CU_FUNC_ATTRIBUTE_BINARY_VERSION: *value = known.binaryVersion; break;
    case CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES: *value = function->dynamic_shared; break;
    default: *value = 0; break;
  }
  return CUDA_SUCCESS;
}
HIRACE_RUNTIME CUresult cuFuncSetAttribute(CUfunction function, CUfunction_attribute attribute, int value) {
  if (function == nullptr) return CUDA_ERROR_INVALID_HANDLE;
  if (attribute != CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES) return CUDA_SUCCESS;
  if (value < 0 || static_cast<std::size_t>(value) > hirace::cpu::max_dynamic_shared_bytes) return CUDA_ERROR_INVALID_VALUE;
  function->dynamic_shared = value;
  hirace::cpu::raise_dynamic_shared();
  return CUDA_SUCCESS;
}
HIRACE_RUNTIME CUresult cuFuncGetModule(CUmodule* module, CUfunction function) {
  if (function == nullptr || module == nullptr) return CUDA_ERROR_INVALID_VALUE;
  *module = function->module;
  return CUDA_SUCCESS;
}
HIRACE_RUNTIME CUresult cuFuncGetName(const char** name, CUfunction function) {
  if (function == nullptr || name == nullptr) return CUDA_ERROR_INVALID_VALUE;
  *name = function->name.c_str();
  return CUDA_SUCCESS;
}
HIRACE_RUNTIME CUresult cuFuncGetParamInfo(CUfunction function, std::size_t number, std::size_t* offset, std::size_t* bytes) {
  return hirace::cpu::driver::parameter_info(function, number, offset, bytes);
}

HIRACE_RUNTIME CUresult cuKernelGetFunction(CUfunction* function, CUkernel kernel) {
  if (function == nullptr) return CUDA_ERROR_INVALID_VALUE;
  *function = hirace::cpu::driver::function_of(kernel);
  return CUDA_SUCCESS;
}
HIRACE_RUNTIME CUresult cuKernelGetName(const char** name, CUkernel kernel) {
  return cuFuncGetName(name, hirace::cpu::driver::function_of(kernel));
}
HIRACE_RUNTIME CUresult cuKernelGetAttribute(int* value, CUfunction_attribute attribute, CUkernel kernel, CUdevice) {
  return cuFuncGetAttribute(value, attribute, hirace::cpu::driver::function_of(kernel));
}
HIRACE_RUNTIME CUresult cuKernelSetAttribute(CUfunction_attribute attribute, int value, CUkernel kernel, CUdevice) {
  return cuFuncSetAttribute(hirace::cpu::driver::function_of(kernel), attribute, value);
}
HIRACE_RUNTIME CUresult cuKernelGetParamInfo(CUkernel kernel, std::size_t number, std::size_t* offset, std::size_t* bytes) {
  return hirace::cpu::driver::parameter_info(hirace::cpu::driver::function_of(kernel), number, offset, bytes);
}
