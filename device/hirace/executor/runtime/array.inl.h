// The definitions of array.h.
#pragma once

#include "array.h"
#include "memory.inl.h"

namespace hirace::cpu {

inline bool is_valid(const cudaChannelFormatDesc& format) {
  const bool width = format.x == 8 || format.x == 16 || format.x == 32;
  const bool kind = format.f == cudaChannelFormatKindFloat ? format.x >= 16 : format.f != cudaChannelFormatKindNone;
  const bool one = format.y == 0 && format.z == 0 && format.w == 0;
  const bool two = format.y == format.x && format.z == 0 && format.w == 0;
  const bool four = format.y == format.x && format.z == format.x && format.w == format.x;
  return width && kind && (one || two || four);
}

}  // namespace hirace::cpu

HIRACE_RUNTIME cudaError_t cudaMalloc3DArray(cudaArray_t* array, const cudaChannelFormatDesc* format, cudaExtent extent,
                                             unsigned int flags) {
  using hirace::cpu::set_error;
  if (array == nullptr || format == nullptr || extent.width == 0) return set_error(cudaErrorInvalidValue);
  if (!hirace::cpu::is_valid(*format)) return set_error(cudaErrorInvalidChannelDescriptor);
  if ((flags & (cudaArrayCubemap | cudaArraySparse | cudaArrayDeferredMapping)) != 0) {
    return hirace::cpu::not_supported("an array with cudaArrayCubemap, cudaArraySparse or cudaArrayDeferredMapping",
                                      "use layers or device memory instead");
  }
  auto made = new cudaArray{*format, extent, flags, nullptr};
  void* data = nullptr;
  if (const cudaError_t error = cudaMalloc(&data, made->pitch() * made->rows() * made->slices())) {
    delete made;
    return error;
  }
  made->data = static_cast<char*>(data);
  *array = made;
  return cudaSuccess;
}
HIRACE_RUNTIME cudaError_t cudaMallocArray(cudaArray_t* array, const cudaChannelFormatDesc* format, std::size_t width,
                                           std::size_t height, unsigned int flags) {
  return cudaMalloc3DArray(array, format, {width, height, 0}, flags);
}
HIRACE_RUNTIME cudaError_t cudaFreeArray(cudaArray_t array) {
  if (array == nullptr) return cudaSuccess;
  const cudaError_t error = cudaFree(array->data);
  delete array;
  return error;
}
HIRACE_RUNTIME cudaError_t cudaArrayGetInfo(cudaChannelFormatDesc* format, cudaExtent* extent, unsigned int* flags, cudaArray_t array) {
  if (array == nullptr) return hirace::cpu::set_error(cudaErrorInvalidResourceHandle);
  if (format != nullptr) *format = array->format;
  if (extent != nullptr) *extent = array->extent;
  if (flags != nullptr) *flags = array->flags;
  return cudaSuccess;
}
HIRACE_RUNTIME cudaError_t cudaGetChannelDesc(cudaChannelFormatDesc* format, cudaArray_const_t array) {
  if (format == nullptr || array == nullptr) return hirace::cpu::set_error(cudaErrorInvalidValue);
  *format = array->format;
  return cudaSuccess;
}

HIRACE_RUNTIME cudaError_t cudaMalloc3D(cudaPitchedPtr* pointer, cudaExtent extent) {
  if (pointer == nullptr) return hirace::cpu::set_error(cudaErrorInvalidValue);
  *pointer = {nullptr, 0, extent.width, extent.height};
  return cudaMallocPitch(&pointer->ptr, &pointer->pitch, extent.width, extent.height * extent.depth);
}
