// The definitions of copy.h.
#pragma once

#include <cstring>

#include "../memory/host_guard.h"
#include "copy.h"
#include "memory.inl.h"
#include "stream_work.h"

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

// Memory that the program may use or change as soon as the call returns.
inline bool is_pageable(const void* pointer) { return !arena().contains(reinterpret_cast<std::uintptr_t>(pointer)); }

// Every copy and fill of the runtime goes through these two.
inline void copy_bytes(void* to, const void* from, std::size_t bytes) {
  const DeviceAccess access;
  fresh_memory().note_copied(to, bytes);
  copied_pageable = copied_pageable || is_pageable(to) || is_pageable(from);
  note_transfer(from, bytes, AccessKind::read);
  note_transfer(to, bytes, AccessKind::write);
  std::memmove(to, from, bytes);
}
inline void fill_bytes(void* to, int value, std::size_t bytes) {
  const DeviceAccess access;
  fresh_memory().note_copied(to, bytes);
  note_transfer(to, bytes, AccessKind::write);
  std::memset(to, value, bytes);
}

inline cudaError_t copy_now(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind) {
  if (bytes == 0) return cudaSuccess;
  const cudaError_t error = check_copy(to, bytes, from, bytes, kind);
  if (error == cudaSuccess) copy_bytes(to, from, bytes);
  return error;
}

inline cudaError_t copy_rows_now(void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch, std::size_t width,
                                 std::size_t height, cudaMemcpyKind kind) {
  if (width == 0 || height == 0) return cudaSuccess;
  if (width > to_pitch || width > from_pitch) return set_error(cudaErrorInvalidPitchValue);
  if (const cudaError_t error = check_copy(to, span(to_pitch, width, height), from, span(from_pitch, width, height), kind)) return error;
  for (std::size_t row = 0; row < height; ++row) {
    copy_bytes(static_cast<char*>(to) + row * to_pitch, static_cast<const char*>(from) + row * from_pitch, width);
  }
  return cudaSuccess;
}

inline cudaError_t fill_rows_now(void* to, std::size_t pitch, int value, std::size_t width, std::size_t height) {
  if (width == 0 || height == 0) return cudaSuccess;
  if ((height > 1 && width > pitch) || !is_device_range(to, span(pitch, width, height))) return set_error(cudaErrorInvalidValue);
  for (std::size_t row = 0; row < height; ++row) fill_bytes(static_cast<char*>(to) + row * pitch, value, width);
  return cudaSuccess;
}

}  // namespace hirace::cpu

namespace hirace::cpu {

inline cudaError_t copy_in(cudaStream_t stream, void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind) {
  return submit(stream, cudaGraphNodeTypeMemcpy, [=] { return copy_now(to, from, bytes, kind); });
}
inline cudaError_t fill_in(cudaStream_t stream, void* to, std::size_t pitch, int value, std::size_t width, std::size_t height) {
  return submit(stream, cudaGraphNodeTypeMemset, [=] { return fill_rows_now(to, pitch, value, width, height); });
}

// Fills of memory that the host can access make the host wait (Runtime API, "API synchronization behavior").
inline cudaError_t fill(void* to, std::size_t pitch, int value, std::size_t width, std::size_t height) {
  const cudaError_t error = fill_in(nullptr, to, pitch, value, width, height);
  if (error == cudaSuccess && host_memory().contains(to)) host_waits_for(nullptr);
  return error;
}

}  // namespace hirace::cpu

HIRACE_RUNTIME cudaError_t cudaMemcpyAsync(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind, cudaStream_t stream) {
  const hirace::cpu::AsynchronousCall call(__builtin_return_address(0));
  return hirace::cpu::copy_in(stream, to, from, bytes, kind);
}
HIRACE_RUNTIME cudaError_t cudaMemcpy(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind) {
  return hirace::cpu::copy_in(nullptr, to, from, bytes, kind);
}
HIRACE_RUNTIME cudaError_t cudaMemcpyPeerAsync(void* to, int, const void* from, int, std::size_t bytes, cudaStream_t stream) {
  return cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice, stream);
}
HIRACE_RUNTIME cudaError_t cudaMemcpyPeer(void* to, int, const void* from, int, std::size_t bytes) {
  return cudaMemcpy(to, from, bytes, cudaMemcpyDeviceToDevice);
}

HIRACE_RUNTIME cudaError_t cudaMemcpy2DAsync(void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch,
                                             std::size_t width, std::size_t height, cudaMemcpyKind kind, cudaStream_t stream) {
  return hirace::cpu::submit(stream, cudaGraphNodeTypeMemcpy,
                             [=] { return hirace::cpu::copy_rows_now(to, to_pitch, from, from_pitch, width, height, kind); });
}
HIRACE_RUNTIME cudaError_t cudaMemcpy2D(void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch, std::size_t width,
                                        std::size_t height, cudaMemcpyKind kind) {
  return cudaMemcpy2DAsync(to, to_pitch, from, from_pitch, width, height, kind, nullptr);
}

HIRACE_RUNTIME cudaError_t cudaMemset2DAsync(void* to, std::size_t pitch, int value, std::size_t width, std::size_t height,
                                             cudaStream_t stream) {
  const hirace::cpu::AsynchronousCall call(__builtin_return_address(0));
  return hirace::cpu::fill_in(stream, to, pitch, value, width, height);
}
HIRACE_RUNTIME cudaError_t cudaMemset2D(void* to, std::size_t pitch, int value, std::size_t width, std::size_t height) {
  return hirace::cpu::fill(to, pitch, value, width, height);
}
HIRACE_RUNTIME cudaError_t cudaMemsetAsync(void* to, int value, std::size_t bytes, cudaStream_t stream) {
  const hirace::cpu::AsynchronousCall call(__builtin_return_address(0));
  return hirace::cpu::fill_in(stream, to, bytes, value, bytes, 1);
}
HIRACE_RUNTIME cudaError_t cudaMemset(void* to, int value, std::size_t bytes) {
  return hirace::cpu::fill(to, bytes, value, bytes, 1);
}

namespace hirace::cpu {

HIRACE_RUNTIME void note_symbol(const void* begin, std::size_t bytes) {
  symbol_ranges().remove(begin);
  symbol_ranges().add(begin, bytes);
}

HIRACE_RUNTIME cudaError_t copy_to_symbol(char* symbol, std::size_t size, const void* from, std::size_t bytes, std::size_t offset,
                                          cudaMemcpyKind kind, cudaStream_t stream) {
  if (kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyHostToHost) return set_error(cudaErrorInvalidMemcpyDirection);
  if (from == nullptr || offset > size || bytes > size - offset) return set_error(cudaErrorInvalidValue);
  return submit(stream, cudaGraphNodeTypeMemcpy, [=] {
    copy_bytes(symbol + offset, from, bytes);
    return cudaSuccess;
  });
}
HIRACE_RUNTIME cudaError_t copy_from_symbol(void* to, const char* symbol, std::size_t size, std::size_t bytes, std::size_t offset,
                                            cudaMemcpyKind kind, cudaStream_t stream) {
  if (kind == cudaMemcpyHostToDevice || kind == cudaMemcpyHostToHost) return set_error(cudaErrorInvalidMemcpyDirection);
  if (to == nullptr || offset > size || bytes > size - offset) return set_error(cudaErrorInvalidValue);
  return submit(stream, cudaGraphNodeTypeMemcpy, [=] {
    copy_bytes(to, symbol + offset, bytes);
    return cudaSuccess;
  });
}

}  // namespace hirace::cpu
