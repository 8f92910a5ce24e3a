// Kernels and their launches: what nvcc generates for `kernel<<<...>>>(...)`, and the functions of
// the runtime that launch.
#pragma once

#include <functional>
#include <tuple>

struct CUkern_st {
  std::vector<std::size_t> parameters;           // bytes of each
  std::function<void(void** arguments)> thread;  // runs one
  // Bytes of static shared memory.
  std::size_t shared = (6 << 10) + made_up::declared_bytes();
  std::size_t dynamic_allowed = made_up::shared_bytes - (6 << 10);
};
using cudaKernel_t = CUkern_st*;
struct cudaLaunchConfig_t {
  dim3 gridDim, blockDim;
  std::size_t dynamicSmemBytes;
  cudaStream_t stream;
};

// Declared here and defined under other names, because a program may rename them.
extern "C" {
cudaError_t __cudaLaunchKernel(cudaKernel_t, dim3, dim3, void**, std::size_t, cudaStream_t);
cudaError_t cudaLaunchKernel(const void*, dim3, dim3, void**, std::size_t, cudaStream_t);
cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t*, const void*, void**);
cudaError_t cudaLaunchCooperativeKernel(const void*, dim3, dim3, void**, std::size_t, cudaStream_t);
}

namespace made_up {

inline std::map<const void*, CUkern_st>& kernels() {
  static std::map<const void*, CUkern_st> by_function;
  return by_function;
}

template <class... Parameters, std::size_t... i>
CUkern_st make_kernel(void (*function)(Parameters...), std::index_sequence<i...>) {
  return {{sizeof(Parameters)...}, [function]([[maybe_unused]] void** arguments) {
            function(*static_cast<Parameters*>(arguments[i])...);
          }};
}

// The handle of a kernel, which nvcc's code requests before main().
template <class... Parameters>
cudaKernel_t kernel_of(void (*function)(Parameters...)) {
  CUkern_st kernel = make_kernel(function, std::index_sequence_for<Parameters...>());
  return &kernels().emplace(reinterpret_cast<const void*>(function), std::move(kernel)).first->second;
}

// kernel<<<grid, block, shared>>>(values...)
template <class... Parameters, class... Values>
void launch(void (*kernel)(Parameters...), dim3 grid, dim3 block, std::size_t shared, const Values&... values) {
  std::tuple<Parameters...> copies(static_cast<Parameters>(values)...);
  std::apply(
      [&](Parameters&... copy) {
        void* arguments[] = {const_cast<void*>(static_cast<const void*>(&copy))..., nullptr};
        static_cast<void>(__cudaLaunchKernel(kernel_of(kernel), grid, block, arguments, shared, nullptr));
      },
      copies);
}

// kernel<<<...>>>, to be called with the values.
template <class... Parameters>
auto configured(void (*kernel)(Parameters...), dim3 grid, dim3 block, std::size_t shared = 0, cudaStream_t = nullptr) {
  return [=](const auto&... values) { launch(kernel, grid, block, shared, values...); };
}

// The runtime's functions under their names for the linker.
extern "C" {
cudaError_t launch_kernel(cudaKernel_t, dim3, dim3, void**, std::size_t, cudaStream_t) __asm__("__cudaLaunchKernel");
cudaError_t launch_function(const void*, dim3, dim3, void**, std::size_t, cudaStream_t) __asm__("cudaLaunchKernel");
cudaError_t launch_configured(const cudaLaunchConfig_t*, const void*, void**) __asm__("cudaLaunchKernelExC");
cudaError_t launch_cooperative(const void*, dim3, dim3, void**, std::size_t, cudaStream_t)
    __asm__("cudaLaunchCooperativeKernel");
}

#define MADE_UP_LAUNCH extern "C" __attribute__((used)) inline cudaError_t

MADE_UP_LAUNCH launch_kernel(cudaKernel_t kernel, dim3 grid, dim3 block, void** arguments, std::size_t shared, cudaStream_t) {
  if (shared > kernel->dynamic_allowed || shared > machine().refuses_shared_above) return ended(cudaErrorInvalidValue);
  machine().static_shared = kernel->shared;
  machine().dynamic_shared = shared;
  if (machine().error == 0) run_grid(grid, block, [&] { kernel->thread(arguments); });
  return ended(cudaSuccess);
}
MADE_UP_LAUNCH launch_function(const void* function, dim3 grid, dim3 block, void** arguments, std::size_t shared,
                               cudaStream_t stream) {
  const auto found = kernels().find(function);
  if (found == kernels().end()) return ended(cudaErrorInvalidValue);
  return launch_kernel(&found->second, grid, block, arguments, shared, stream);
}
MADE_UP_LAUNCH launch_configured(const cudaLaunchConfig_t* how, const void* function, void** arguments) {
  return launch_function(function, how->gridDim, how->blockDim, arguments, how->dynamicSmemBytes, how->stream);
}
MADE_UP_LAUNCH launch_cooperative(const void* function, dim3 grid, dim3 block, void** arguments, std::size_t shared,
                                  cudaStream_t stream) {
  return launch_function(function, grid, block, arguments, shared, stream);
}
#undef MADE_UP_LAUNCH

inline CUresult parameter_info(CUkern_st* kernel, std::size_t index, std::size_t* offset, std::size_t* bytes) {
  if (!machine().tells_parameters || index >= kernel->parameters.size()) return CUDA_ERROR_INVALID_VALUE;
  *offset = 0;
  return *bytes = kernel->parameters[index], CUDA_SUCCESS;
}

inline CUresult kernel_attribute(int* value, CUfunction_attribute attribute, CUkern_st* kernel, CUdevice) {
  const bool fixed = attribute == CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES;
  return *value = static_cast<int>(fixed ? kernel->shared : kernel->dynamic_allowed), CUDA_SUCCESS;
}

inline CUresult set_kernel_attribute(CUfunction_attribute, int value, CUkern_st* kernel, CUdevice) {
  if (value < 0 || kernel->shared + static_cast<std::size_t>(value) > std::size_t{max_shared_bytes}) return CUDA_ERROR_INVALID_VALUE;
  return kernel->dynamic_allowed = static_cast<std::size_t>(value), CUDA_SUCCESS;
}

inline CUresult occupancy(int* blocks, CUfunction function, int threads, std::size_t dynamic) {
  const auto* kernel = reinterpret_cast<const CUkern_st*>(function);
  const auto by_shared = static_cast<int>(multiprocessor_shared_bytes / (kernel->shared + dynamic));
  return *blocks = std::min({by_shared, multiprocessor_threads / threads, multiprocessor_blocks}), CUDA_SUCCESS;
}

}  // namespace made_up

inline cudaError_t cudaGetKernel(cudaKernel_t* kernel, const void* function) {
  const auto found = made_up::kernels().find(function);
  if (found == made_up::kernels().end()) return made_up::ended(cudaErrorInvalidValue);
  return *kernel = &found->second, made_up::ended(cudaSuccess);
}
