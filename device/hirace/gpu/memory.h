// The functions of the CUDA runtime that allocate and free memory, extended to give that memory
// shadow. The instrumenter puts hirace::gpu:: before their names.
//
// They accept the same pointers as cuda_runtime.h, templates included.
#pragma once

#include "monitor.h"

namespace hirace::gpu {

// The site of a call, as a default argument of the called function.
struct CallPlace {
  const char* file;
  unsigned line;

  static constexpr CallPlace here(const char* file = __builtin_FILE(), unsigned line = __builtin_LINE()) { return {file, line}; }
};

namespace detail {

using Lock = std::lock_guard<std::recursive_mutex>;

// The pointee may be const or volatile.
template <class T>
void** untyped(T** pointer) {
  return static_cast<void**>(static_cast<void*>(pointer));
}

template <class T>
void map(T* memory, std::size_t bytes, const CallPlace& place) {
  Monitor& monitor = Monitor::instance();
  const std::size_t without = monitor.map(const_cast<const void*>(static_cast<const volatile void*>(memory)), bytes);
  if (without == 0) return;
  std::fprintf(stderr, "hirace: %s:%u: out of device memory for shadow: %zu of these %zu bytes are not checked\n",
               place.file, place.line, without, bytes);
}

// Allocates, retrying while shadow can be released for it, and maps the result.
template <class T, class Allocate>
cudaError_t allocate(T** pointer, std::size_t bytes, const CallPlace& place, const Allocate& call) {
  Monitor& monitor = Monitor::instance();
  const Lock lock(monitor.mutex());
  cudaError_t error = call();
  while (error == cudaErrorMemoryAllocation && monitor.reclaim()) {
    static_cast<void>(::cudaGetLastError());
    error = call();
  }
  if (error == cudaSuccess && pointer != nullptr) map(*pointer, bytes, place);
  return error;
}

template <class Release>
cudaError_t release(const void* pointer, const Release& call) {
  Monitor& monitor = Monitor::instance();
  const Lock lock(monitor.mutex());
  const cudaError_t error = call();
  if (error == cudaSuccess && pointer != nullptr) monitor.unmap(pointer);
  return error;
}

}  // namespace detail

template <class T>
cudaError_t cudaMalloc(T** pointer, std::size_t bytes, CallPlace place = CallPlace::here()) {
  return detail::allocate(pointer, bytes, place, [&] { return ::cudaMalloc(detail::untyped(pointer), bytes); });
}

template <class T>
cudaError_t cudaMallocManaged(T** pointer, std::size_t bytes, unsigned flags = cudaMemAttachGlobal,
                              CallPlace place = CallPlace::here()) {
  return detail::allocate(pointer, bytes, place, [&] { return ::cudaMallocManaged(detail::untyped(pointer), bytes, flags); });
}

template <class T>
cudaError_t cudaMallocPitch(T** pointer, std::size_t* pitch, std::size_t width, std::size_t height,
                            CallPlace place = CallPlace::here()) {
  const detail::Lock lock(Monitor::instance().mutex());
  const cudaError_t error = detail::allocate<T>(
      nullptr, 0, place, [&] { return ::cudaMallocPitch(detail::untyped(pointer), pitch, width, height); });
  if (error == cudaSuccess) detail::map(*pointer, *pitch * height, place);
  return error;
}

inline cudaError_t cudaMalloc3D(cudaPitchedPtr* memory, cudaExtent extent, CallPlace place = CallPlace::here()) {
  const detail::Lock lock(Monitor::instance().mutex());
  const cudaError_t error = detail::allocate<void>(nullptr, 0, place, [&] { return ::cudaMalloc3D(memory, extent); });
  if (error == cudaSuccess) detail::map(memory->ptr, memory->pitch * extent.height * extent.depth, place);
  return error;
}

// Memory of a pool stays mapped: memory that cudaFreeAsync returns to it is reused without a freeing call.
template <class T>
cudaError_t cudaMallocAsync(T** pointer, std::size_t bytes, cudaStream_t stream, CallPlace place = CallPlace::here()) {
  return detail::allocate(pointer, bytes, place, [&] { return ::cudaMallocAsync(detail::untyped(pointer), bytes, stream); });
}

template <class T>
cudaError_t cudaMallocFromPoolAsync(T** pointer, std::size_t bytes, cudaMemPool_t pool, cudaStream_t stream,
                                    CallPlace place = CallPlace::here()) {
  return detail::allocate(
      pointer, bytes, place, [&] { return ::cudaMallocFromPoolAsync(detail::untyped(pointer), bytes, pool, stream); });
}

template <class T>
cudaError_t cudaMallocAsync(T** pointer, std::size_t bytes, cudaMemPool_t pool, cudaStream_t stream,
                            CallPlace place = CallPlace::here()) {
  return gpu::cudaMallocFromPoolAsync(pointer, bytes, pool, stream, place);
}

inline cudaError_t cudaFreeAsync(void* pointer, cudaStream_t stream) { return ::cudaFreeAsync(pointer, stream); }

inline cudaError_t cudaFree(void* pointer) {
  return detail::release(pointer, [&] { return ::cudaFree(pointer); });
}

// Host memory that kernels can access has shadow like any other memory.
template <class T>
cudaError_t cudaMallocHost(T** pointer, std::size_t bytes, unsigned flags = 0, CallPlace place = CallPlace::here()) {
  return detail::allocate(pointer, bytes, place, [&] { return ::cudaMallocHost(detail::untyped(pointer), bytes, flags); });
}

template <class T>
cudaError_t cudaHostAlloc(T** pointer, std::size_t bytes, unsigned flags, CallPlace place = CallPlace::here()) {
  return detail::allocate(pointer, bytes, place, [&] { return ::cudaHostAlloc(detail::untyped(pointer), bytes, flags); });
}

inline cudaError_t cudaFreeHost(void* pointer) {
  return detail::release(pointer, [&] { return ::cudaFreeHost(pointer); });
}

// On systems with 64-bit pointers, kernels access it at the host's address.
inline cudaError_t cudaHostRegister(void* memory, std::size_t bytes, unsigned flags, CallPlace place = CallPlace::here()) {
  return detail::allocate(&memory, bytes, place, [&] { return ::cudaHostRegister(memory, bytes, flags); });
}

inline cudaError_t cudaHostUnregister(void* memory) {
  return detail::release(memory, [&] { return ::cudaHostUnregister(memory); });
}

inline cudaError_t cudaDeviceReset() {
  Monitor& monitor = Monitor::instance();
  const detail::Lock lock(monitor.mutex());
  monitor.reset();
  return ::cudaDeviceReset();
}

}  // namespace hirace::gpu
