// Texture and surface references, which CUDA 12 removed: variables at file scope that the host binds to memory.
//
// A bound reference has a texture or surface object of its own. The instrumenter writes the types' names with their
// namespace, so that programs may use the words `texture` and `surface` for something else.
#pragma once

#include <climits>

#include "../../cuda/runtime_constants.h"
#include "texture.h"

// What the fields say counts when the reference is bound.
struct textureReference {
  int normalized;
  cudaTextureFilterMode filterMode;
  cudaTextureAddressMode addressMode[3];
  cudaChannelFormatDesc channelDesc;
  int sRGB;
  unsigned int maxAnisotropy;
  cudaTextureFilterMode mipmapFilterMode;
  float mipmapLevelBias, minMipmapLevelClamp, maxMipmapLevelClamp;
  int disableTrilinearOptimization;
  // Of the executor:
  cudaTextureReadMode hirace_read_mode;
  mutable cudaTextureObject_t hirace_object;  // 0 if it is not bound
};
struct surfaceReference {
  cudaChannelFormatDesc channelDesc;
  // Of the executor:
  mutable cudaSurfaceObject_t hirace_object;
};

namespace hirace::cpu {

template <class T, int type = cudaTextureType1D, cudaTextureReadMode mode = cudaReadModeElementType>
struct texture : textureReference {
  texture(int is_normalized = 0, cudaTextureFilterMode filter = cudaFilterModePoint, cudaTextureAddressMode address = cudaAddressModeClamp)
      : texture(is_normalized, filter, address, cudaCreateChannelDesc<T>()) {}
  texture(int is_normalized, cudaTextureFilterMode filter, cudaTextureAddressMode address, cudaChannelFormatDesc format)
      : textureReference{is_normalized, filter, {address, address, address}, format, 0, 0, cudaFilterModePoint, 0, 0, 0, 0, mode, 0} {}
};
template <class T, int type = cudaSurfaceType1D>
struct surface : surfaceReference {
  surface() : surfaceReference{} {}
};

cudaError_t bind_texture(const textureReference& texture, const cudaResourceDesc& resource);
// The bytes that a texture of linear memory has if the program asks for `bytes`.
std::size_t bytes_to_bind(const void* memory, std::size_t bytes);

}  // namespace hirace::cpu

cudaError_t cudaUnbindTexture(const textureReference* texture);
cudaError_t cudaBindSurfaceToArray(const surfaceReference* surface, cudaArray_const_t array, const cudaChannelFormatDesc* format);

// The C functions.
inline cudaError_t cudaBindTexture(std::size_t* offset, const textureReference* texture, const void* memory,
                                   const cudaChannelFormatDesc* format, std::size_t bytes = UINT_MAX) {
  if (texture == nullptr || format == nullptr) return cudaErrorInvalidValue;
  if (offset != nullptr) *offset = 0;
  cudaResourceDesc resource{};
  resource.resType = cudaResourceTypeLinear;
  resource.res.linear.devPtr = const_cast<void*>(memory);
  resource.res.linear.desc = *format;
  resource.res.linear.sizeInBytes = hirace::cpu::bytes_to_bind(memory, bytes);
  return hirace::cpu::bind_texture(*texture, resource);
}
inline cudaError_t cudaBindTexture2D(std::size_t* offset, const textureReference* texture, const void* memory,
                                     const cudaChannelFormatDesc* format, std::size_t width, std::size_t height, std::size_t pitch) {
  if (texture == nullptr || format == nullptr) return cudaErrorInvalidValue;
  if (offset != nullptr) *offset = 0;
  cudaResourceDesc resource{};
  resource.resType = cudaResourceTypePitch2D;
  resource.res.pitch2D.devPtr = const_cast<void*>(memory);
  resource.res.pitch2D.desc = *format;
  resource.res.pitch2D.width = width;
  resource.res.pitch2D.height = height;
  resource.res.pitch2D.pitchInBytes = pitch;
  return hirace::cpu::bind_texture(*texture, resource);
}
inline cudaError_t cudaBindTextureToArray(const textureReference* texture, cudaArray_const_t array, const cudaChannelFormatDesc*) {
  if (texture == nullptr) return cudaErrorInvalidValue;
  cudaResourceDesc resource{};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = const_cast<cudaArray_t>(array);
  return hirace::cpu::bind_texture(*texture, resource);
}
inline cudaError_t cudaBindTextureToMipmappedArray(const textureReference* texture, cudaMipmappedArray_const_t array,
                                                   const cudaChannelFormatDesc*) {
  if (texture == nullptr) return cudaErrorInvalidValue;
  cudaResourceDesc resource{};
  resource.resType = cudaResourceTypeMipmappedArray;
  resource.res.mipmap.mipmap = const_cast<cudaMipmappedArray_t>(array);
  return hirace::cpu::bind_texture(*texture, resource);
}
inline cudaError_t cudaGetTextureReference(const textureReference** reference, const void* symbol) {
  if (reference == nullptr || symbol == nullptr) return cudaErrorInvalidValue;
  *reference = static_cast<const textureReference*>(symbol);
  return cudaSuccess;
}
inline cudaError_t cudaGetTextureAlignmentOffset(std::size_t* offset, const textureReference* texture) {
  if (offset == nullptr || texture == nullptr) return cudaErrorInvalidValue;
  *offset = 0;
  return cudaSuccess;
}
inline cudaError_t cudaGetSurfaceReference(const surfaceReference** reference, const void* symbol) {
  if (reference == nullptr || symbol == nullptr) return cudaErrorInvalidValue;
  *reference = static_cast<const surfaceReference*>(symbol);
  return cudaSuccess;
}

// The C++ functions, which know the format of the reference.
template <class T, int type, cudaTextureReadMode mode>
cudaError_t cudaBindTexture(std::size_t* offset, const hirace::cpu::texture<T, type, mode>& texture, const void* memory,
                            const cudaChannelFormatDesc& format, std::size_t bytes = UINT_MAX) {
  return cudaBindTexture(offset, static_cast<const textureReference*>(&texture), memory, &format, bytes);
}
template <class T, int type, cudaTextureReadMode mode>
cudaError_t cudaBindTexture(std::size_t* offset, const hirace::cpu::texture<T, type, mode>& texture, const void* memory,
                            std::size_t bytes = UINT_MAX) {
  return cudaBindTexture(offset, texture, memory, texture.channelDesc, bytes);
}
template <class T, int type, cudaTextureReadMode mode>
cudaError_t cudaBindTexture2D(std::size_t* offset, const hirace::cpu::texture<T, type, mode>& texture, const void* memory,
                              const cudaChannelFormatDesc& format, std::size_t width, std::size_t height, std::size_t pitch) {
  return cudaBindTexture2D(offset, static_cast<const textureReference*>(&texture), memory, &format, width, height, pitch);
}
template <class T, int type, cudaTextureReadMode mode>
cudaError_t cudaBindTexture2D(std::size_t* offset, const hirace::cpu::texture<T, type, mode>& texture, const void* memory,
                              std::size_t width, std::size_t height, std::size_t pitch) {
  return cudaBindTexture2D(offset, texture, memory, texture.channelDesc, width, height, pitch);
}
template <class T, int type, cudaTextureReadMode mode>
cudaError_t cudaBindTextureToArray(const hirace::cpu::texture<T, type, mode>& texture, cudaArray_const_t array) {
  return cudaBindTextureToArray(static_cast<const textureReference*>(&texture), array, nullptr);
}
template <class T, int type, cudaTextureReadMode mode>
cudaError_t cudaBindTextureToArray(const hirace::cpu::texture<T, type, mode>& texture, cudaArray_const_t array,
                                   const cudaChannelFormatDesc&) {
  return cudaBindTextureToArray(texture, array);
}
template <class T, int type, cudaTextureReadMode mode>
cudaError_t cudaBindTextureToMipmappedArray(const hirace::cpu::texture<T, type, mode>& texture, cudaMipmappedArray_const_t array) {
  return cudaBindTextureToMipmappedArray(static_cast<const textureReference*>(&texture), array, nullptr);
}
template <class T, int type, cudaTextureReadMode mode>
cudaError_t cudaBindTextureToMipmappedArray(const hirace::cpu::texture<T, type, mode>& texture, cudaMipmappedArray_const_t array,
                                            const cudaChannelFormatDesc&) {
  return cudaBindTextureToMipmappedArray(texture, array);
}
template <class T, int type, cudaTextureReadMode mode>
cudaError_t cudaUnbindTexture(const hirace::cpu::texture<T, type, mode>& texture) {
  return cudaUnbindTexture(static_cast<const textureReference*>(&texture));
}
template <class T, int type, cudaTextureReadMode mode>
cudaError_t cudaGetTextureAlignmentOffset(std::size_t* offset, const hirace::cpu::texture<T, type, mode>& texture) {
  return cudaGetTextureAlignmentOffset(offset, static_cast<const textureReference*>(&texture));
}
template <class T, int type>
cudaError_t cudaBindSurfaceToArray(const hirace::cpu::surface<T, type>& surface, cudaArray_const_t array) {
  return cudaBindSurfaceToArray(static_cast<const surfaceReference*>(&surface), array, nullptr);
}
template <class T, int type>
cudaError_t cudaBindSurfaceToArray(const hirace::cpu::surface<T, type>& surface, cudaArray_const_t array, const cudaChannelFormatDesc&) {
  return cudaBindSurfaceToArray(surface, array);
}
