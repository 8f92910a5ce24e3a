// The CUDA runtime's copies and fills. They are done when the call returns, and
// need no shadow work: kernel boundaries order them.
#pragma once

#include <cstring>
#include <memory>

#include "runtime_memory.h"

enum cudaMemcpyKind {
  cudaMemcpyHostToHost = 0,
  cudaMemcpyHostToDevice = 1,
  cudaMemcpyDeviceToHost = 2,
  cudaMemcpyDeviceToDevice = 3,
  cudaMemcpyDefault = 4
};

namespace hirace::cpu {

inline cudaError_t check_copy(const void* to, std::size_t to_bytes, const void* from, std::size_t from_bytes, cudaMemcpyKind kind) {
  if (to == nullptr || from == nullptr) return set_error(cudaErrorInvalidValue);
  const bool to_device = is_device_range(to, to_bytes), to_host = is_host_range(to, to_bytes);
  const bool from_device = is_device_range(from, from_bytes), from_host = is_host_range(from, from_bytes);
  bool fits = false;
  switch (kind) {
    case cudaMemcpyHostToHost: fits = to_host && from_host; break;
    case cudaMemcpyHostToDevice: fits = to_device && from_host; break;
    case cudaMemcpyDeviceToHost: fits = to_host && from_device; break;
    case cudaMemcpyDeviceToDevice: fits = to_device && from_device; break;
    case cudaMemcpyDefault: fits = (to_device || to_host) && (from_device || from_host); break;
    default: return set_error(cudaErrorInvalidMemcpyDirection);
  }
  return fits ? cudaSuccess : set_error(cudaErrorInvalidValue);
}

// The bytes that `height` rows of `width` bytes span.
inline std::size_t span(std::size_t pitch, std::size_t width, std::size_t height) { return pitch * (height - 1) + width; }

}  // namespace hirace::cpu

inline cudaError_t cudaMemcpy(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind) {
  if (bytes == 0) return cudaSuccess;
  const cudaError_t error = hirace::cpu::check_copy(to, bytes, from, bytes, kind);
  if (error == cudaSuccess) std::memmove(to, from, bytes);
  return error;
}
inline cudaError_t cudaMemcpyAsync(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind, cudaStream_t = nullptr) {
  return cudaMemcpy(to, from, bytes, kind);
}
inline cudaError_t cudaMemcpyPeer(void* to, int, const void* from, int, std::size_t bytes) {
  return cudaMemcpy(to, from, bytes, cudaMemcpyDeviceToDevice);
}
inline cudaError_t cudaMemcpyPeerAsync(void* to, int, const void* from, int, std::size_t bytes, cudaStream_t = nullptr) {
  return cudaMemcpy(to, from, bytes, cudaMemcpyDeviceToDevice);
}

inline cudaError_t cudaMemcpy2D(void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch, std::size_t width,
                                std::size_t height, cudaMemcpyKind kind) {
  if (width == 0 || height == 0) return cudaSuccess;
  if (width > to_pitch || width > from_pitch) return hirace::cpu::set_error(cudaErrorInvalidPitchValue);
  const std::size_t to_bytes = hirace::cpu::span(to_pitch, width, height);
  const std::size_t from_bytes = hirace::cpu::span(from_pitch, width, height);
  if (const cudaError_t error = hirace::cpu::check_copy(to, to_bytes, from, from_bytes, kind)) return error;
  for (std::size_t row = 0; row < height; ++row) {
    std::memmove(static_cast<char*>(to) + row * to_pitch, static_cast<const char*>(from) + row * from_pitch, width);
  }
  return cudaSuccess;
}
inline cudaError_t cudaMemcpy2DAsync(void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch, std::size_t width,
                                     std::size_t height, cudaMemcpyKind kind, cudaStream_t = nullptr) {
  return cudaMemcpy2D(to, to_pitch, from, from_pitch, width, height, kind);
}

inline cudaError_t cudaMemset(void* to, int value, std::size_t bytes) {
  if (bytes == 0) return cudaSuccess;
  if (!hirace::cpu::is_device_range(to, bytes)) return hirace::cpu::set_error(cudaErrorInvalidValue);
  std::memset(to, value, bytes);
  return cudaSuccess;
}
inline cudaError_t cudaMemsetAsync(void* to, int value, std::size_t bytes, cudaStream_t = nullptr) {
  return cudaMemset(to, value, bytes);
}
inline cudaError_t cudaMemset2D(void* to, std::size_t pitch, int value, std::size_t width, std::size_t height) {
  if (width == 0 || height == 0) return cudaSuccess;
  if (width > pitch || !hirace::cpu::is_device_range(to, hirace::cpu::span(pitch, width, height))) {
    return hirace::cpu::set_error(cudaErrorInvalidValue);
  }
  for (std::size_t row = 0; row < height; ++row) std::memset(static_cast<char*>(to) + row * pitch, value, width);
  return cudaSuccess;
}
inline cudaError_t cudaMemset2DAsync(void* to, std::size_t pitch, int value, std::size_t width, std::size_t height,
                                     cudaStream_t = nullptr) {
  return cudaMemset2D(to, pitch, value, width, height);
}

// A symbol is the variable itself: the program names it, and has its type.
template <class T>
cudaError_t cudaGetSymbolAddress(void** address, const T& symbol) {
  if (address == nullptr) return hirace::cpu::set_error(cudaErrorInvalidValue);
  *address = const_cast<void*>(static_cast<const volatile void*>(std::addressof(symbol)));
  hirace::cpu::symbol_ranges().remove(*address);
  hirace::cpu::symbol_ranges().add(*address, sizeof(T));
  return cudaSuccess;
}
template <class T>
cudaError_t cudaGetSymbolSize(std::size_t* bytes, const T&) {
  if (bytes == nullptr) return hirace::cpu::set_error(cudaErrorInvalidValue);
  *bytes = sizeof(T);
  return cudaSuccess;
}
template <class T>
cudaError_t cudaMemcpyToSymbol(const T& symbol, const void* from, std::size_t bytes, std::size_t offset = 0,
                               cudaMemcpyKind kind = cudaMemcpyHostToDevice) {
  if (kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyHostToHost) return hirace::cpu::set_error(cudaErrorInvalidMemcpyDirection);
  if (from == nullptr || offset > sizeof(T) || bytes > sizeof(T) - offset) return hirace::cpu::set_error(cudaErrorInvalidValue);
  void* const address = const_cast<void*>(static_cast<const volatile void*>(std::addressof(symbol)));
  std::memmove(static_cast<char*>(address) + offset, from, bytes);
  return cudaSuccess;
}
template <class T>
cudaError_t cudaMemcpyToSymbolAsync(const T& symbol, const void* from, std::size_t bytes, std::size_t offset, cudaMemcpyKind kind,
                                    cudaStream_t = nullptr) {
  return cudaMemcpyToSymbol(symbol, from, bytes, offset, kind);
}
template <class T>
cudaError_t cudaMemcpyFromSymbol(void* to, const T& symbol, std::size_t bytes, std::size_t offset = 0,
                                 cudaMemcpyKind kind = cudaMemcpyDeviceToHost) {
  if (kind == cudaMemcpyHostToDevice || kind == cudaMemcpyHostToHost) return hirace::cpu::set_error(cudaErrorInvalidMemcpyDirection);
  if (to == nullptr || offset > sizeof(T) || bytes > sizeof(T) - offset) return hirace::cpu::set_error(cudaErrorInvalidValue);
  const void* const address = const_cast<const void*>(static_cast<const volatile void*>(std::addressof(symbol)));
  std::memmove(to, static_cast<const char*>(address) + offset, bytes);
  return cudaSuccess;
}
template <class T>
cudaError_t cudaMemcpyFromSymbolAsync(void* to, const T& symbol, std::size_t bytes, std::size_t offset, cudaMemcpyKind kind,
                                      cudaStream_t = nullptr) {
  return cudaMemcpyFromSymbol(to, symbol, bytes, offset, kind);
}

// Where managed memory lies is of no consequence when there is only one memory.
enum cudaMemoryAdvise {
  cudaMemAdviseSetReadMostly = 1,
  cudaMemAdviseUnsetReadMostly = 2,
  cudaMemAdviseSetPreferredLocation = 3,
  cudaMemAdviseUnsetPreferredLocation = 4,
  cudaMemAdviseSetAccessedBy = 5,
  cudaMemAdviseUnsetAccessedBy = 6
};
inline cudaError_t cudaMemAdvise(const void* pointer, std::size_t bytes, cudaMemoryAdvise, int) {
  return hirace::cpu::is_device_range(pointer, bytes) ? cudaSuccess : hirace::cpu::set_error(cudaErrorInvalidValue);
}
inline cudaError_t cudaMemPrefetchAsync(const void* pointer, std::size_t bytes, int, cudaStream_t = nullptr) {
  return hirace::cpu::is_device_range(pointer, bytes) ? cudaSuccess : hirace::cpu::set_error(cudaErrorInvalidValue);
}
