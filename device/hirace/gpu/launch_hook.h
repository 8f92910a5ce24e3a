// The hooks within a kernel launch, where the CUDA runtime gets the kernel and its arguments.
//
// What nvcc makes of `kernel<<<...>>>(...)` calls __cudaLaunchKernel, or cudaLaunchKernel with
// a `char*` before CUDA 13. For the latter an overload is the better match; the former gets
// another name for the linker by a pragma, that of the hook, so that neither compiler nor
// linker needs an option. Programs' own calls have other names in the instrumented source, as
// those in memory.h. A launch that does not come here, by a compiler that ignores the pragma,
// is checked without what the hook would have known.
#pragma once

#include "monitor.h"

// A program with a default stream for each thread calls functions of other names.
#ifdef __CUDART_API_PER_THREAD_DEFAULT_STREAM
#define HIRACE_OF_STREAMS(name) name##_ptsz
#define HIRACE_RUNTIME_FUNCTION(name) __asm__(name "_ptsz")
#pragma redefine_extname cudaLaunchKernelExC_ptsz hirace_launch_configured_ptsz
#pragma redefine_extname __cudaLaunchKernel_ptsz hirace_launch_kernel_ptsz
#else
#define HIRACE_OF_STREAMS(name) name
#define HIRACE_RUNTIME_FUNCTION(name) __asm__(name)
#pragma redefine_extname cudaLaunchKernelExC hirace_launch_configured
#pragma redefine_extname __cudaLaunchKernel hirace_launch_kernel
#endif
#define HIRACE_LAUNCH_HOOK extern "C" __attribute__((used)) inline cudaError_t

namespace hirace::gpu {

// Null for a function that is no kernel, or before kernels had handles.
inline CUkern_st* kernel_of([[maybe_unused]] const void* function) {
  CUkern_st* kernel = nullptr;
#if CUDART_VERSION >= 12010
  if (quietly([&] { return ::cudaGetKernel(&kernel, function); }) != cudaSuccess) return nullptr;
#endif
  return kernel;
}

}  // namespace hirace::gpu

extern "C" cudaError_t HIRACE_OF_STREAMS(hirace_runtime_configured)(const cudaLaunchConfig_t*, const void*, void**)
    HIRACE_RUNTIME_FUNCTION("cudaLaunchKernelExC");

HIRACE_LAUNCH_HOOK HIRACE_OF_STREAMS(hirace_launch_configured)(const cudaLaunchConfig_t* configuration, const void* function,
                                                               void** arguments) {
  cudaLaunchConfig_t changed = *configuration;
  return hirace::gpu::Monitor::instance().launch(
      {hirace::gpu::kernel_of(function), changed.gridDim, changed.blockDim, arguments, changed.dynamicSmemBytes, changed.stream},
      [&](const hirace::gpu::KernelCall& call) {
        changed.dynamicSmemBytes = call.shared;
        return HIRACE_OF_STREAMS(hirace_runtime_configured)(&changed, function, arguments);
      });
}

#if CUDART_VERSION >= 13000
extern "C" cudaError_t HIRACE_OF_STREAMS(hirace_runtime_kernel)(cudaKernel_t, dim3, dim3, void**, std::size_t, cudaStream_t)
    HIRACE_RUNTIME_FUNCTION("__cudaLaunchKernel");

HIRACE_LAUNCH_HOOK HIRACE_OF_STREAMS(hirace_launch_kernel)(cudaKernel_t kernel, dim3 grid, dim3 block, void** arguments,
                                                           std::size_t shared, cudaStream_t stream) {
  return hirace::gpu::Monitor::instance().launch(
      {kernel, grid, block, arguments, shared, stream}, [&](const hirace::gpu::KernelCall& call) {
        return HIRACE_OF_STREAMS(hirace_runtime_kernel)(kernel, grid, block, arguments, call.shared, stream);
      });
}
#endif

namespace hirace::gpu {

// Whether launches come to the hooks: the runtime's function goes by the hook's name then. A
// compiler that could see them would say that two functions are not one.
inline bool launches_are_hooked() {
  using Launch = cudaError_t (*)(const cudaLaunchConfig_t*, const void*, void**);
  const volatile Launch called = ::HIRACE_OF_STREAMS(cudaLaunchKernelExC), hook = ::HIRACE_OF_STREAMS(hirace_launch_configured);
  return called == hook;
}

template <class T>
cudaError_t cudaLaunchKernel(T* function, dim3 grid, dim3 block, void** arguments, std::size_t shared = 0,
                             cudaStream_t stream = nullptr) {
  const void* const known = reinterpret_cast<const void*>(function);
  return Monitor::instance().launch({kernel_of(known), grid, block, arguments, shared, stream}, [&](const KernelCall& call) {
    return ::cudaLaunchKernel(known, grid, block, arguments, call.shared, stream);
  });
}

template <class T>
cudaError_t cudaLaunchCooperativeKernel(T* function, dim3 grid, dim3 block, void** arguments, std::size_t shared = 0,
                                        cudaStream_t stream = nullptr) {
  const void* const known = reinterpret_cast<const void*>(function);
  return Monitor::instance().launch({kernel_of(known), grid, block, arguments, shared, stream}, [&](const KernelCall& call) {
    return ::cudaLaunchCooperativeKernel(known, grid, block, arguments, call.shared, stream);
  });
}

}  // namespace hirace::gpu

#if CUDART_VERSION < 13000
// nvcc's code calls the function of this name, whatever a program's calls mean by it. Next to
// the runtime's own template this one is the more special, and next to its function no match
// for the call with zeroes in the code that nvcc makes of a template.
#pragma push_macro("cudaLaunchKernel")
#undef cudaLaunchKernel
template <class = void>
cudaError_t cudaLaunchKernel(char* function, dim3 grid, dim3 block, void** arguments, std::size_t shared,
                                    cudaStream_t stream) {
#pragma pop_macro("cudaLaunchKernel")
  return hirace::gpu::cudaLaunchKernel(function, grid, block, arguments, shared, stream);
}
#endif

#undef HIRACE_LAUNCH_HOOK
#undef HIRACE_RUNTIME_FUNCTION
#undef HIRACE_OF_STREAMS
