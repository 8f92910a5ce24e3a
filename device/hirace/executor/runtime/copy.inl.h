// The definitions of copy.h.
#pragma once

#include <algorithm>
#include <cstring>

#include "../check/check.h"
#include "../memory/host_guard.h"
#include "copy.h"
#include "copy_order.h"

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

// The accesses of a copy or a fill by a kernel: one for each word, which is what most other accesses are of.
inline void check_by_kernel(AccessKind kind, const void* memory, std::size_t bytes) {
  for (std::size_t at = 0; at < bytes; at += granule_bytes) {
    check(kind, static_cast<const char*>(memory) + at, std::min<std::size_t>(granule_bytes, bytes - at), site_of_copy);
  }
}

// Every copy and fill of the runtime goes through these two.
inline void copy_bytes(void* to, const void* from, std::size_t bytes) {
  const DeviceAccess access;
  fresh_memory().note_copied(to, bytes);
  if (monitor.in_kernel) {
    check_by_kernel(AccessKind::read, from, bytes);
    check_by_kernel(AccessKind::write, to, bytes);
  }
  if (transfer != nullptr) transfer->copied(to, from);
  if (RunningCall* const call = RunningCall::current()) {
    call->reads(from, bytes);
    call->writes(to, bytes);
  }
  note_transfer(from, bytes, AccessKind::read);
  note_transfer(to, bytes, AccessKind::write);
  std::memmove(to, from, bytes);
}
inline void fill_bytes(void* to, int value, std::size_t bytes) {
  const DeviceAccess access;
  fresh_memory().note_copied(to, bytes);
  if (monitor.in_kernel) check_by_kernel(AccessKind::write, to, bytes);
  if (transfer != nullptr) transfer->filled(to);
  if (RunningCall* const call = RunningCall::current()) call->writes(to, bytes);
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

inline cudaError_t copy_in_stream(const Call& call, void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind, cudaStream_t stream) {
  return submit_transfer(call, stream, cudaGraphNodeTypeMemcpy, [=] { return copy_now(to, from, bytes, kind); });
}
inline cudaError_t copy_rows_in_stream(const Call& call, void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch,
                                       std::size_t width, std::size_t height, cudaMemcpyKind kind, cudaStream_t stream) {
  return submit_transfer(call, stream, cudaGraphNodeTypeMemcpy,
                         [=] { return copy_rows_now(to, to_pitch, from, from_pitch, width, height, kind); });
}
inline cudaError_t fill_in_stream(const Call& call, void* to, std::size_t pitch, int value, std::size_t width, std::size_t height,
                                  cudaStream_t stream) {
  return submit_transfer(call, stream, cudaGraphNodeTypeMemset, [=] { return fill_rows_now(to, pitch, value, width, height); });
}

// Between devices, a synchronous copy comes after all earlier work of both and before all later work.
template <class Copy>
cudaError_t copy_between_devices(const Copy& copy) {
  stream_order().host_waits_for_all();
  const cudaError_t error = copy();
  host_waits_for(nullptr);
  return error;
}

}  // namespace hirace::cpu

HIRACE_RUNTIME cudaError_t cudaMemcpyAsync(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind, cudaStream_t stream) {
  return hirace::cpu::copy_in_stream(hirace::cpu::call_of("cudaMemcpyAsync"), to, from, bytes, kind, stream);
}
HIRACE_RUNTIME cudaError_t cudaMemcpy(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind) {
  return hirace::cpu::copy_in_stream(hirace::cpu::call_of("cudaMemcpy"), to, from, bytes, kind, nullptr);
}
HIRACE_RUNTIME cudaError_t cudaMemcpyPeerAsync(void* to, int, const void* from, int, std::size_t bytes, cudaStream_t stream) {
  const hirace::cpu::Call call = hirace::cpu::call_of("cudaMemcpyPeerAsync");
  return hirace::cpu::copy_in_stream(call, to, from, bytes, cudaMemcpyDeviceToDevice, stream);
}
HIRACE_RUNTIME cudaError_t cudaMemcpyPeer(void* to, int, const void* from, int, std::size_t bytes) {
  const hirace::cpu::Call call = hirace::cpu::call_of("cudaMemcpyPeer");
  return hirace::cpu::copy_between_devices(
      [=] { return hirace::cpu::copy_in_stream(call, to, from, bytes, cudaMemcpyDeviceToDevice, nullptr); });
}

HIRACE_RUNTIME cudaError_t cudaMemcpy2DAsync(void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch,
                                             std::size_t width, std::size_t height, cudaMemcpyKind kind, cudaStream_t stream) {
  const hirace::cpu::Call call = hirace::cpu::call_of("cudaMemcpy2DAsync");
  return hirace::cpu::copy_rows_in_stream(call, to, to_pitch, from, from_pitch, width, height, kind, stream);
}
HIRACE_RUNTIME cudaError_t cudaMemcpy2D(void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch, std::size_t width,
                                        std::size_t height, cudaMemcpyKind kind) {
  const hirace::cpu::Call call = hirace::cpu::call_of("cudaMemcpy2D");
  return hirace::cpu::copy_rows_in_stream(call, to, to_pitch, from, from_pitch, width, height, kind, nullptr);
}

HIRACE_RUNTIME cudaError_t cudaMemset2DAsync(void* to, std::size_t pitch, int value, std::size_t width, std::size_t height,
                                             cudaStream_t stream) {
  return hirace::cpu::fill_in_stream(hirace::cpu::call_of("cudaMemset2DAsync"), to, pitch, value, width, height, stream);
}
HIRACE_RUNTIME cudaError_t cudaMemset2D(void* to, std::size_t pitch, int value, std::size_t width, std::size_t height) {
  return hirace::cpu::fill_in_stream(hirace::cpu::call_of("cudaMemset2D"), to, pitch, value, width, height, nullptr);
}
HIRACE_RUNTIME cudaError_t cudaMemsetAsync(void* to, int value, std::size_t bytes, cudaStream_t stream) {
  return hirace::cpu::fill_in_stream(hirace::cpu::call_of("cudaMemsetAsync"), to, bytes, value, bytes, 1, stream);
}
HIRACE_RUNTIME cudaError_t cudaMemset(void* to, int value, std::size_t bytes) {
  return hirace::cpu::fill_in_stream(hirace::cpu::call_of("cudaMemset"), to, bytes, value, bytes, 1, nullptr);
}

namespace hirace::cpu {

HIRACE_RUNTIME void note_symbol(const void* begin, std::size_t bytes) {
  symbol_ranges().remove(begin);
  symbol_ranges().add(begin, bytes);
}

// Whether the copy is in the direction that `device_to_host` says, and the symbol is large enough.
inline cudaError_t check_symbol(const SymbolCopy& copy, const void* other, bool device_to_host) {
  const cudaMemcpyKind wrong = device_to_host ? cudaMemcpyHostToDevice : cudaMemcpyDeviceToHost;
  if (copy.kind == wrong || copy.kind == cudaMemcpyHostToHost) return set_error(cudaErrorInvalidMemcpyDirection);
  const bool fits = copy.offset <= copy.size && copy.bytes <= copy.size - copy.offset;
  return other != nullptr && fits ? cudaSuccess : set_error(cudaErrorInvalidValue);
}

inline cudaError_t submit_symbol_copy(const Call& call, const SymbolCopy& copy, void* to, const void* from) {
  return submit_transfer(call, copy.stream, cudaGraphNodeTypeMemcpy, [to, from, bytes = copy.bytes] {
    copy_bytes(to, from, bytes);
    return cudaSuccess;
  });
}

HIRACE_RUNTIME cudaError_t copy_to_symbol(const SymbolCopy& copy, const void* from) {
  const Call call = call_of(copy.name);
  if (const cudaError_t error = check_symbol(copy, from, false)) return error;
  return submit_symbol_copy(call, copy, copy.symbol + copy.offset, from);
}
HIRACE_RUNTIME cudaError_t copy_from_symbol(const SymbolCopy& copy, void* to) {
  const Call call = call_of(copy.name);
  if (const cudaError_t error = check_symbol(copy, to, true)) return error;
  return submit_symbol_copy(call, copy, to, copy.symbol + copy.offset);
}

}  // namespace hirace::cpu
