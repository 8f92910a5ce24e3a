// The definitions of array.h.
#pragma once

#include "array.h"
#include "memory.inl.h"

namespace hirace::cpu {

// Whether texels have 1, 2 or 4 channels of the same width, as the hardware needs.
inline bool is_valid(const cudaChannelFormatDesc& format) {
  const bool width = format.x == 8 || format.x == 16 || format.x == 32;
  const bool kind = format.f == cudaChannelFormatKindFloat ? format.x >= 16 : format.f != cudaChannelFormatKindNone;
  const bool one = format.y == 0 && format.z == 0 && format.w == 0;
  const bool two = format.y == format.x && format.z == 0 && format.w == 0;
  const bool four = format.y == format.x && format.z == format.x && format.w == format.x;
  return width && kind && (one || two || four);
}

// The faces of a cube are six square layers; those of several cubes follow one another.
inline bool is_valid_cube(const cudaExtent& extent, unsigned int flags) {
  constexpr std::size_t faces = 6;
  if ((flags & cudaArrayCubemap) == 0) return true;
  const bool count = (flags & cudaArrayLayered) != 0 ? extent.depth != 0 && extent.depth % faces == 0 : extent.depth == faces;
  return count && extent.width == extent.height;
}

// An array that is allocated at `code`.
inline cudaError_t allocate_array(cudaArray_t* array, const cudaChannelFormatDesc* format, cudaExtent extent, unsigned int flags,
                                  const void* code) {
  if (array == nullptr || format == nullptr || extent.width == 0) return set_error(cudaErrorInvalidValue);
  if (!is_valid(*format)) return set_error(cudaErrorInvalidChannelDescriptor);
  if (!is_valid_cube(extent, flags)) return set_error(cudaErrorInvalidValue);
  if ((flags & (cudaArraySparse | cudaArrayDeferredMapping)) != 0) {
    return not_supported("an array with cudaArraySparse or cudaArrayDeferredMapping", "use device memory instead");
  }
  auto made = new cudaArray{*format, extent, flags, nullptr};
  void* data = nullptr;
  if (const cudaError_t error = allocate(&data, made->pitch() * made->rows() * made->slices(), MemoryKind::device, code)) {
    delete made;
    return error;
  }
  made->data = static_cast<char*>(data);
  *array = made;
  return cudaSuccess;
}

}  // namespace hirace::cpu

HIRACE_RUNTIME cudaError_t cudaMalloc3DArray(cudaArray_t* array, const cudaChannelFormatDesc* format, cudaExtent extent,
                                             unsigned int flags) {
  return hirace::cpu::allocate_array(array, format, extent, flags, __builtin_return_address(0));
}
HIRACE_RUNTIME cudaError_t cudaMallocArray(cudaArray_t* array, const cudaChannelFormatDesc* format, std::size_t width,
                                           std::size_t height, unsigned int flags) {
  return hirace::cpu::allocate_array(array, format, {width, height, 0}, flags, __builtin_return_address(0));
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

HIRACE_RUNTIME cudaError_t cudaMallocMipmappedArray(cudaMipmappedArray_t* array, const cudaChannelFormatDesc* format, cudaExtent extent,
                                                    unsigned int levels, unsigned int flags) {
  if (array == nullptr) return hirace::cpu::set_error(cudaErrorInvalidValue);
  // The largest number of levels, down to one texel, counts for a larger one.
  const bool layered = (flags & (cudaArrayLayered | cudaArrayCubemap)) != 0;
  const auto made = new cudaMipmappedArray{};
  for (unsigned int level = 0; level == 0 || (level < levels && level < cudaMipmappedArray::max_levels); ++level) {
    cudaArray_t one = nullptr;
    if (const cudaError_t error = hirace::cpu::allocate_array(&one, format, extent, flags, __builtin_return_address(0))) {
      cudaFreeMipmappedArray(made);
      return hirace::cpu::set_error(error);
    }
    made->levels[made->count++] = one;
    if (extent.width == 1 && extent.height <= 1 && (layered || extent.depth <= 1)) break;
    const auto half = [](std::size_t count) { return count > 1 ? count / 2 : count; };
    extent = {half(extent.width), half(extent.height), layered ? extent.depth : half(extent.depth)};
  }
  *array = made;
  return cudaSuccess;
}
HIRACE_RUNTIME cudaError_t cudaFreeMipmappedArray(cudaMipmappedArray_t array) {
  if (array == nullptr) return cudaSuccess;
  cudaError_t first = cudaSuccess;
  for (unsigned int level = 0; level < array->count; ++level) {
    const cudaError_t error = cudaFreeArray(array->levels[level]);
    if (first == cudaSuccess) first = error;
  }
  delete array;
  return first;
}
HIRACE_RUNTIME cudaError_t cudaGetMipmappedArrayLevel(cudaArray_t* array, cudaMipmappedArray_const_t of, unsigned int level) {
  if (array == nullptr || of == nullptr || level >= of->count) return hirace::cpu::set_error(cudaErrorInvalidValue);
  *array = of->levels[level];
  return cudaSuccess;
}

HIRACE_RUNTIME cudaError_t cudaMalloc3D(cudaPitchedPtr* pointer, cudaExtent extent) {
  if (pointer == nullptr) return hirace::cpu::set_error(cudaErrorInvalidValue);
  *pointer = {nullptr, 0, extent.width, extent.height};
  return cudaMallocPitch(&pointer->ptr, &pointer->pitch, extent.width, extent.height * extent.depth);
}
