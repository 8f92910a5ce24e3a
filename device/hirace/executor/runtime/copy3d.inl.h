// The definitions of copy3d.h.
#pragma once

#include "array.inl.h"
#include "copy.inl.h"
#include "copy3d.h"

namespace hirace::cpu {

// A box of bytes in an array or in pitched memory; `begin` is null if it does not fit.
struct Box {
  char* begin;
  std::size_t pitch, slice;
};

// Positions and widths in bytes.
inline Box box_in(cudaArray_const_t array, std::size_t x, std::size_t y, std::size_t z, const cudaExtent& bytes) {
  const bool fits = array != nullptr && x + bytes.width <= array->pitch() && y + bytes.height <= array->rows() &&
                    z + bytes.depth <= array->slices();
  if (!fits) return {nullptr, 0, 0};
  const std::size_t pitch = array->pitch(), slice = pitch * array->rows();
  return {array->data + z * slice + y * pitch + x, pitch, slice};
}
inline Box box_in(const cudaPitchedPtr& memory, const cudaPos& position, const cudaExtent& bytes) {
  const std::size_t slice = memory.pitch * memory.ysize;
  const bool fits = memory.ptr != nullptr && (memory.pitch >= bytes.width || bytes.height * bytes.depth <= 1);
  if (!fits) return {nullptr, 0, 0};
  return {static_cast<char*>(memory.ptr) + position.z * slice + position.y * memory.pitch + position.x, memory.pitch, slice};
}
inline std::size_t span(const Box& box, const cudaExtent& bytes) {
  return (bytes.depth - 1) * box.slice + (bytes.height - 1) * box.pitch + bytes.width;
}

inline cudaError_t copy_box_now(const Box& to, const Box& from, const cudaExtent& bytes, cudaMemcpyKind kind) {
  if (bytes.width == 0 || bytes.height == 0 || bytes.depth == 0) return cudaSuccess;
  if (const cudaError_t error = check_copy(to.begin, span(to, bytes), from.begin, span(from, bytes), kind)) return error;
  for (std::size_t z = 0; z < bytes.depth; ++z) {
    for (std::size_t y = 0; y < bytes.height; ++y) {
      copy_bytes(to.begin + z * to.slice + y * to.pitch, from.begin + z * from.slice + y * from.pitch, bytes.width);
    }
  }
  return cudaSuccess;
}
inline cudaError_t submit_box(const Call& call, const Box& to, const Box& from, const cudaExtent& bytes, cudaMemcpyKind kind,
                              cudaStream_t stream) {
  return submit_transfer(call, stream, cudaGraphNodeTypeMemcpy, [=] { return copy_box_now(to, from, bytes, kind); });
}

// Consecutive rows of `width` bytes: the older functions' view of an array.
inline Box rows_at(const void* memory, std::size_t pitch) {
  return {const_cast<char*>(static_cast<const char*>(memory)), pitch, 0};
}

// The copy that these parameters describe; widths are in texels if an array is involved.
struct Copy3D {
  Box to, from;
  cudaExtent bytes;
  cudaMemcpyKind kind;
  cudaError_t operator()() const { return copy_box_now(to, from, bytes, kind); }
};
inline cudaError_t plan_copy(const cudaMemcpy3DParms& p, Copy3D& plan) {
  const bool one_source = (p.srcArray != nullptr) != (p.srcPtr.ptr != nullptr);
  const bool one_target = (p.dstArray != nullptr) != (p.dstPtr.ptr != nullptr);
  if (!one_source || !one_target) return set_error(cudaErrorInvalidValue);
  const cudaArray_const_t array = p.srcArray != nullptr ? p.srcArray : p.dstArray;
  if (p.srcArray != nullptr && p.dstArray != nullptr && p.srcArray->texel_bytes() != p.dstArray->texel_bytes()) {
    return set_error(cudaErrorInvalidValue);
  }
  const std::size_t texel = array != nullptr ? array->texel_bytes() : 1;
  plan.bytes = {p.extent.width * texel, p.extent.height, p.extent.depth};
  plan.from = p.srcArray != nullptr ? box_in(p.srcArray, p.srcPos.x * texel, p.srcPos.y, p.srcPos.z, plan.bytes)
                                    : box_in(p.srcPtr, p.srcPos, plan.bytes);
  plan.to = p.dstArray != nullptr ? box_in(p.dstArray, p.dstPos.x * texel, p.dstPos.y, p.dstPos.z, plan.bytes)
                                  : box_in(p.dstPtr, p.dstPos, plan.bytes);
  plan.kind = p.kind;
  return plan.from.begin != nullptr && plan.to.begin != nullptr ? cudaSuccess : set_error(cudaErrorInvalidValue);
}

inline cudaError_t copy_3d(const Call& call, const cudaMemcpy3DParms* parameters, cudaStream_t stream) {
  if (parameters == nullptr) return set_error(cudaErrorInvalidValue);
  Copy3D plan;
  if (const cudaError_t error = plan_copy(*parameters, plan)) return error;
  return submit_transfer(call, stream, cudaGraphNodeTypeMemcpy, plan);
}
inline cudaError_t copy_3d(const Call& call, const cudaMemcpy3DPeerParms* p, cudaStream_t stream) {
  if (p == nullptr) return set_error(cudaErrorInvalidValue);
  const cudaMemcpy3DParms same{p->srcArray, p->srcPos, p->srcPtr, p->dstArray, p->dstPos, p->dstPtr, p->extent, cudaMemcpyDeviceToDevice};
  return copy_3d(call, &same, stream);
}

inline cudaError_t fill_3d(const Call& call, const cudaPitchedPtr& memory, int value, const cudaExtent& extent, cudaStream_t stream) {
  if (extent.width == 0 || extent.height == 0 || extent.depth == 0) return cudaSuccess;
  const Box box = box_in(memory, {0, 0, 0}, extent);
  if (box.begin == nullptr || !is_device_range(box.begin, span(box, extent))) return set_error(cudaErrorInvalidValue);
  return submit_transfer(call, stream, cudaGraphNodeTypeMemset, [=] {
    for (std::size_t z = 0; z < extent.depth; ++z) {
      const cudaError_t error = fill_rows_now(box.begin + z * box.slice, box.pitch, value, extent.width, extent.height);
      if (error != cudaSuccess) return error;
    }
    return cudaSuccess;
  });
}

inline cudaError_t copy_to_array(const Call& call, cudaArray_t to, std::size_t x, std::size_t y, const void* from, std::size_t pitch,
                                 std::size_t width, std::size_t height, cudaMemcpyKind kind, cudaStream_t stream) {
  const cudaExtent bytes{width, height, 1};
  const Box box = box_in(to, x, y, 0, bytes);
  if (box.begin == nullptr) return set_error(cudaErrorInvalidValue);
  if (width > pitch) return set_error(cudaErrorInvalidPitchValue);
  return submit_box(call, box, rows_at(from, pitch), bytes, kind, stream);
}
inline cudaError_t copy_from_array(const Call& call, void* to, std::size_t pitch, cudaArray_const_t from, std::size_t x, std::size_t y,
                                   std::size_t width, std::size_t height, cudaMemcpyKind kind, cudaStream_t stream) {
  const cudaExtent bytes{width, height, 1};
  const Box box = box_in(from, x, y, 0, bytes);
  if (box.begin == nullptr) return set_error(cudaErrorInvalidValue);
  if (width > pitch) return set_error(cudaErrorInvalidPitchValue);
  return submit_box(call, rows_at(to, pitch), box, bytes, kind, stream);
}

// `bytes` of an array starting at (x, y), row after row: part of a row, whole rows, part of one.
inline cudaError_t copy_linear(const Call& call, cudaArray_const_t array, std::size_t x, std::size_t y, void* memory, std::size_t bytes,
                               bool to_array, cudaMemcpyKind kind, cudaStream_t stream) {
  if (array == nullptr || x > array->pitch() || (array->rows() - y) * array->pitch() < x + bytes || y >= array->rows()) {
    return set_error(cudaErrorInvalidValue);
  }
  void* const inside = array->data + y * array->pitch() + x;
  return to_array ? copy_in_stream(call, inside, memory, bytes, kind, stream) : copy_in_stream(call, memory, inside, bytes, kind, stream);
}

}  // namespace hirace::cpu

HIRACE_RUNTIME cudaError_t cudaMemcpy3DAsync(const cudaMemcpy3DParms* parameters, cudaStream_t stream) {
  return hirace::cpu::copy_3d(hirace::cpu::call_of("cudaMemcpy3DAsync"), parameters, stream);
}
HIRACE_RUNTIME cudaError_t cudaMemcpy3D(const cudaMemcpy3DParms* parameters) {
  return hirace::cpu::copy_3d(hirace::cpu::call_of("cudaMemcpy3D"), parameters, nullptr);
}
HIRACE_RUNTIME cudaError_t cudaMemcpy3DPeerAsync(const cudaMemcpy3DPeerParms* p, cudaStream_t stream) {
  return hirace::cpu::copy_3d(hirace::cpu::call_of("cudaMemcpy3DPeerAsync"), p, stream);
}
HIRACE_RUNTIME cudaError_t cudaMemcpy3DPeer(const cudaMemcpy3DPeerParms* parameters) {
  const hirace::cpu::Call call = hirace::cpu::call_of("cudaMemcpy3DPeer");
  return hirace::cpu::copy_between_devices([=] { return hirace::cpu::copy_3d(call, parameters, nullptr); });
}

HIRACE_RUNTIME cudaError_t cudaMemset3DAsync(cudaPitchedPtr memory, int value, cudaExtent extent, cudaStream_t stream) {
  return hirace::cpu::fill_3d(hirace::cpu::call_of("cudaMemset3DAsync"), memory, value, extent, stream);
}
HIRACE_RUNTIME cudaError_t cudaMemset3D(cudaPitchedPtr memory, int value, cudaExtent extent) {
  return hirace::cpu::fill_3d(hirace::cpu::call_of("cudaMemset3D"), memory, value, extent, nullptr);
}

HIRACE_RUNTIME cudaError_t cudaMemcpy2DToArrayAsync(cudaArray_t to, std::size_t x, std::size_t y, const void* from, std::size_t pitch,
                                                    std::size_t width, std::size_t height, cudaMemcpyKind kind, cudaStream_t stream) {
  const hirace::cpu::Call call = hirace::cpu::call_of("cudaMemcpy2DToArrayAsync");
  return hirace::cpu::copy_to_array(call, to, x, y, from, pitch, width, height, kind, stream);
}
HIRACE_RUNTIME cudaError_t cudaMemcpy2DToArray(cudaArray_t to, std::size_t x, std::size_t y, const void* from, std::size_t pitch,
                                               std::size_t width, std::size_t height, cudaMemcpyKind kind) {
  const hirace::cpu::Call call = hirace::cpu::call_of("cudaMemcpy2DToArray");
  return hirace::cpu::copy_to_array(call, to, x, y, from, pitch, width, height, kind, nullptr);
}
HIRACE_RUNTIME cudaError_t cudaMemcpy2DFromArrayAsync(void* to, std::size_t pitch, cudaArray_const_t from, std::size_t x, std::size_t y,
                                                      std::size_t width, std::size_t height, cudaMemcpyKind kind, cudaStream_t stream) {
  const hirace::cpu::Call call = hirace::cpu::call_of("cudaMemcpy2DFromArrayAsync");
  return hirace::cpu::copy_from_array(call, to, pitch, from, x, y, width, height, kind, stream);
}
HIRACE_RUNTIME cudaError_t cudaMemcpy2DFromArray(void* to, std::size_t pitch, cudaArray_const_t from, std::size_t x, std::size_t y,
                                                 std::size_t width, std::size_t height, cudaMemcpyKind kind) {
  const hirace::cpu::Call call = hirace::cpu::call_of("cudaMemcpy2DFromArray");
  return hirace::cpu::copy_from_array(call, to, pitch, from, x, y, width, height, kind, nullptr);
}
HIRACE_RUNTIME cudaError_t cudaMemcpy2DArrayToArray(cudaArray_t to, std::size_t to_x, std::size_t to_y, cudaArray_const_t from,
                                                    std::size_t from_x, std::size_t from_y, std::size_t width, std::size_t height,
                                                    cudaMemcpyKind kind) {
  const hirace::cpu::Call call = hirace::cpu::call_of("cudaMemcpy2DArrayToArray");
  const cudaExtent bytes{width, height, 1};
  const hirace::cpu::Box target = hirace::cpu::box_in(to, to_x, to_y, 0, bytes), source = hirace::cpu::box_in(from, from_x, from_y, 0, bytes);
  if (target.begin == nullptr || source.begin == nullptr) return hirace::cpu::set_error(cudaErrorInvalidValue);
  return hirace::cpu::submit_box(call, target, source, bytes, kind, nullptr);
}

HIRACE_RUNTIME cudaError_t cudaMemcpyToArrayAsync(cudaArray_t to, std::size_t x, std::size_t y, const void* from, std::size_t bytes,
                                                  cudaMemcpyKind kind, cudaStream_t stream) {
  const hirace::cpu::Call call = hirace::cpu::call_of("cudaMemcpyToArrayAsync");
  return hirace::cpu::copy_linear(call, to, x, y, const_cast<void*>(from), bytes, true, kind, stream);
}
HIRACE_RUNTIME cudaError_t cudaMemcpyToArray(cudaArray_t to, std::size_t x, std::size_t y, const void* from, std::size_t bytes,
                                             cudaMemcpyKind kind) {
  const hirace::cpu::Call call = hirace::cpu::call_of("cudaMemcpyToArray");
  return hirace::cpu::copy_linear(call, to, x, y, const_cast<void*>(from), bytes, true, kind, nullptr);
}
HIRACE_RUNTIME cudaError_t cudaMemcpyFromArrayAsync(void* to, cudaArray_const_t from, std::size_t x, std::size_t y, std::size_t bytes,
                                                    cudaMemcpyKind kind, cudaStream_t stream) {
  const hirace::cpu::Call call = hirace::cpu::call_of("cudaMemcpyFromArrayAsync");
  return hirace::cpu::copy_linear(call, from, x, y, to, bytes, false, kind, stream);
}
HIRACE_RUNTIME cudaError_t cudaMemcpyFromArray(void* to, cudaArray_const_t from, std::size_t x, std::size_t y, std::size_t bytes,
                                               cudaMemcpyKind kind) {
  const hirace::cpu::Call call = hirace::cpu::call_of("cudaMemcpyFromArray");
  return hirace::cpu::copy_linear(call, from, x, y, to, bytes, false, kind, nullptr);
}
