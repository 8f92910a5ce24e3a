// Kernels and variables of a program, as nvcc's host code registers them, and launches.
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "state.h"

namespace {

using ptx_gpu::ended;
using ptx_gpu::state;

struct Configuration {
  dim3 grid, block;
  std::size_t shared;
  void* stream;
};
std::vector<Configuration>& pushed() {
  static auto* const stack = new std::vector<Configuration>;
  return *stack;
}

[[noreturn]] void missing(const char* what, const char* name) {
  std::fprintf(stderr, "the translated PTX has no %s %s\n", what, name);
  std::_Exit(99);
}

cudaError_t launch(const void* kernel, dim3 grid, dim3 block, void** arguments, std::size_t shared, bool cooperative,
                   dim3 cluster = dim3(1)) {
  if (kernel == nullptr) return ended(cudaErrorInvalidDeviceFunction);
  if (shared > ptx_gpu::allowed_dynamic(kernel)) return ended(cudaErrorInvalidValue);
  const ptx_gpu::Shape shape{{grid.x, grid.y, grid.z}, {block.x, block.y, block.z}, {cluster.x, cluster.y, cluster.z}, shared,
                             cooperative};
  return ended(static_cast<cudaError_t>(ptx_gpu::launch(kernel, shape, arguments)));
}

const void* kernel_of(const void* function) {
  const auto found = state().kernels.find(function);
  return found != state().kernels.end() ? found->second : nullptr;
}

}  // namespace

extern "C" {

void** __cudaRegisterFatBinary(void*) {
  static void* handle = nullptr;
  return &handle;
}
void __cudaRegisterFatBinaryEnd(void**) {}
void __cudaUnregisterFatBinary(void**) {}
char __cudaInitModule(void**) { return 1; }

void __cudaRegisterFunction(void**, const char* function, char*, const char* name, int, uint3*, uint3*, dim3*, dim3*, int*) {
  const void* const kernel = ptx_gpu::find_kernel(name);
  if (kernel == nullptr) missing("kernel", name);
  state().kernels[function] = kernel;
}
void __cudaRegisterVar(void**, char* variable, char*, const char* name, int, std::size_t, int, int) {
  // nvcc leaves out variables that no kernel uses.
  if (void* const address = ptx_gpu::find_variable(name)) state().variables[variable] = address;
}
void __cudaRegisterManagedVar(void**, void** variable, char*, const char* name, int, std::size_t, int, int) {
  void* const address = ptx_gpu::find_variable(name);
  if (address == nullptr) missing("variable", name);
  state().variables[*variable = address] = address;
}

unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, std::size_t shared, CUstream_st* stream) {
  pushed().push_back({grid, block, shared, stream});
  return 0;
}
cudaError_t __cudaPopCallConfiguration(dim3* grid, dim3* block, std::size_t* shared, void* stream) {
  const Configuration top = pushed().back();
  pushed().pop_back();
  *grid = top.grid;
  *block = top.block;
  *shared = top.shared;
  *static_cast<void**>(stream) = top.stream;
  return cudaSuccess;
}

cudaError_t __cudaGetKernel(cudaKernel_t* kernel, const void* function) {
  const void* const found = kernel_of(function);
  if (found == nullptr) return ended(cudaErrorInvalidDeviceFunction);
  *kernel = static_cast<cudaKernel_t>(const_cast<void*>(found));
  return cudaSuccess;
}
cudaError_t cudaGetKernel(cudaKernel_t* kernel, const void* function) { return __cudaGetKernel(kernel, function); }

cudaError_t __cudaLaunchKernel(cudaKernel_t kernel, dim3 grid, dim3 block, void** arguments, std::size_t shared, cudaStream_t) {
  return launch(kernel, grid, block, arguments, shared, false);
}
cudaError_t cudaLaunchKernel(const void* function, dim3 grid, dim3 block, void** arguments, std::size_t shared, cudaStream_t) {
  return launch(kernel_of(function), grid, block, arguments, shared, false);
}
cudaError_t cudaLaunchCooperativeKernel(const void* function, dim3 grid, dim3 block, void** arguments, std::size_t shared,
                                        cudaStream_t) {
  return launch(kernel_of(function), grid, block, arguments, shared, true);
}
cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t* how, const void* function, void** arguments) {
  bool cooperative = false;
  dim3 cluster(1);
  for (unsigned i = 0; i < how->numAttrs; ++i) {
    const cudaLaunchAttribute& attribute = how->attrs[i];
    if (attribute.id == cudaLaunchAttributeClusterDimension) {
      const auto& size = attribute.val.clusterDim;
      cluster = dim3(size.x, size.y, size.z);
    }
    cooperative = cooperative || (attribute.id == cudaLaunchAttributeCooperative && attribute.val.cooperative != 0);
  }
  return launch(kernel_of(function), how->gridDim, how->blockDim, arguments, how->dynamicSmemBytes, cooperative, cluster);
}
cudaError_t cudaFuncSetAttribute(const void* function, cudaFuncAttribute attribute, int value) {
  const void* const kernel = kernel_of(function);
  if (kernel == nullptr) return ended(cudaErrorInvalidDeviceFunction);
  if (attribute == cudaFuncAttributeMaxDynamicSharedMemorySize) state().dynamic_allowed[kernel] = static_cast<std::size_t>(value);
  return cudaSuccess;
}

}  // extern "C"
