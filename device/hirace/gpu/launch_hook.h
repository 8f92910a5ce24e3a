// The hooks inside a kernel launch, at the call that passes the kernel and its arguments to the CUDA runtime.
//
// The code that nvcc generates for `kernel<<<...>>>(...)` calls __cudaLaunchKernel or, before CUDA 13,
// cudaLaunchKernel with a `char*`. For the latter, an overload is the better match. For the former, a pragma
// changes its linker name to that of the hook, so that neither compiler nor linker needs an option. The
// program's own calls have other names in the instrumented source, like those in memory.h. A launch that
// bypasses the hook, because a compiler ignores the pragma, is checked without the hook's information.
#pragma once

#include "host.h"

// Programs with a per-thread default stream call functions with other names.
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

extern "C" cudaError_t HIRACE_OF_STREAMS(hirace_runtime_configured)(const cudaLaunchConfig_t*, const void*, void**)
    HIRACE_RUNTIME_FUNCTION("cudaLaunchKernelExC");

HIRACE_LAUNCH_HOOK HIRACE_OF_STREAMS(hirace_launch_configured)(const cudaLaunchConfig_t* configuration, const void* function,
                                                               void** arguments) {
  cudaLaunchConfig_t changed = *configuration;
  return hirace::gpu::run_launch(
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
  return hirace::gpu::run_launch(
      {kernel, grid, block, arguments, shared, stream}, [&](const hirace::gpu::KernelCall& call) {
        return HIRACE_OF_STREAMS(hirace_runtime_kernel)(kernel, grid, block, arguments, call.shared, stream);
      });
}
#endif

namespace hirace::gpu {

// Whether launches reach the hooks: the runtime's function then has the hook's linker name.
// Volatile, because a compiler would assume that two functions have different addresses.
inline bool launches_are_hooked() {
  using Launch = cudaError_t (*)(const cudaLaunchConfig_t*, const void*, void**);
  const volatile Launch called = ::HIRACE_OF_STREAMS(cudaLaunchKernelExC), hook = ::HIRACE_OF_STREAMS(hirace_launch_configured);
  return called == hook;
}

template <class T>
cudaError_t cudaLaunchKernel(T* function, dim3 grid, dim3 block, void** arguments, std::size_t shared = 0,
                             cudaStream_t stream = nullptr) {
  const void* const known = reinterpret_cast<const void*>(function);
  return run_launch({kernel_of(known), grid, block, arguments, shared, stream}, [&](const KernelCall& call) {
    return ::cudaLaunchKernel(known, grid, block, arguments, call.shared, stream);
  });
}

template <class T>
cudaError_t cudaLaunchCooperativeKernel(T* function, dim3 grid, dim3 block, void** arguments, std::size_t shared = 0,
                                        cudaStream_t stream = nullptr) {
  const void* const known = reinterpret_cast<const void*>(function);
  return run_launch({kernel_of(known), grid, block, arguments, shared, stream}, [&](const KernelCall& call) {
    return ::cudaLaunchCooperativeKernel(known, grid, block, arguments, call.shared, stream);
  });
}

}  // namespace hirace::gpu

#if CUDART_VERSION < 13000
// nvcc's code calls the function of this name, whatever a program's calls refer to. It is
// more specialised than the runtime's own template. Unlike the runtime's function, it does not
// match the call with zeros in the code that nvcc generates for a template.
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
