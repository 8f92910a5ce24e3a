// The functions of the CUDA runtime that allocate and free memory, extended to give that memory
// shadow. The instrumenter puts hirace::gpu:: before their names.
//
// They accept the same pointers as cuda_runtime.h, templates included.
#pragma once

#include "host.h"

namespace hirace::gpu {

namespace detail {

// The pointee may be const or volatile.
template <class T>
void** untyped(T** pointer) {
  return static_cast<void**>(static_cast<void*>(pointer));
}

template <class T, class Allocate>
cudaError_t allocate(T** pointer, std::size_t bytes, const CallPlace& place, const Allocate& call) {
  return gpu::allocate(place, call, [&] { return Allocated{pointer != nullptr ? *pointer : nullptr, bytes}; });
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
  return allocate(
      place, [&] { return ::cudaMallocPitch(detail::untyped(pointer), pitch, width, height); },
      [&] { return Allocated{*pointer, *pitch * height}; });
}

inline cudaError_t cudaMalloc3D(cudaPitchedPtr* memory, cudaExtent extent, CallPlace place = CallPlace::here()) {
  return allocate(
      place, [&] { return ::cudaMalloc3D(memory, extent); },
      [&] { return Allocated{memory->ptr, memory->pitch * extent.height * extent.depth}; });
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
  return release(pointer, [&] { return ::cudaFree(pointer); });
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
  return release(pointer, [&] { return ::cudaFreeHost(pointer); });
}

// On systems with 64-bit pointers, kernels access it at the host's address.
inline cudaError_t cudaHostRegister(void* memory, std::size_t bytes, unsigned flags, CallPlace place = CallPlace::here()) {
  return detail::allocate(&memory, bytes, place, [&] { return ::cudaHostRegister(memory, bytes, flags); });
}

inline cudaError_t cudaHostUnregister(void* memory) {
  return release(memory, [&] { return ::cudaHostUnregister(memory); });
}

inline cudaError_t cudaDeviceReset() {
  return reset_device();
}

}  // namespace hirace::gpu
