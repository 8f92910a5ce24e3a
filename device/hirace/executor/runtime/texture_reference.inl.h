// The definitions of texture_reference.h.
#pragma once

#include <algorithm>

#include "memory.inl.h"
#include "texture.inl.h"
#include "texture_reference.h"

namespace hirace::cpu {

HIRACE_RUNTIME std::size_t bytes_to_bind(const void* memory, std::size_t bytes) {
  Allocation allocation;
  const auto address = reinterpret_cast<std::uintptr_t>(memory);
  if (!arena().contains(address) || !device_heap().find(memory, allocation)) return bytes;
  return std::min<std::size_t>(bytes, allocation.begin + allocation.bytes - address);
}

HIRACE_RUNTIME cudaError_t bind_texture(const textureReference& texture, const cudaResourceDesc& resource) {
  cudaTextureDesc sampling{};
  std::copy(texture.addressMode, texture.addressMode + 3, sampling.addressMode);
  sampling.filterMode = texture.filterMode;
  sampling.readMode = texture.hirace_read_mode;
  sampling.sRGB = texture.sRGB;
  sampling.normalizedCoords = texture.normalized;
  sampling.maxAnisotropy = texture.maxAnisotropy;
  sampling.mipmapFilterMode = texture.mipmapFilterMode;
  sampling.mipmapLevelBias = texture.mipmapLevelBias;
  sampling.minMipmapLevelClamp = texture.minMipmapLevelClamp;
  sampling.maxMipmapLevelClamp = texture.maxMipmapLevelClamp;
  cudaTextureObject_t object = 0;
  const cudaError_t error = cudaCreateTextureObject(&object, &resource, &sampling, nullptr);
  if (error != cudaSuccess) return error;
  cudaUnbindTexture(&texture);
  texture.hirace_object = object;
  return cudaSuccess;
}

}  // namespace hirace::cpu

HIRACE_RUNTIME cudaError_t cudaUnbindTexture(const textureReference* texture) {
  if (texture == nullptr) return hirace::cpu::set_error(cudaErrorInvalidValue);
  const cudaTextureObject_t object = texture->hirace_object;
  texture->hirace_object = 0;
  return cudaDestroyTextureObject(object);
}

HIRACE_RUNTIME cudaError_t cudaBindSurfaceToArray(const surfaceReference* surface, cudaArray_const_t array, const cudaChannelFormatDesc*) {
  if (surface == nullptr) return hirace::cpu::set_error(cudaErrorInvalidValue);
  cudaResourceDesc resource{};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = const_cast<cudaArray_t>(array);
  cudaSurfaceObject_t object = 0;
  const cudaError_t error = cudaCreateSurfaceObject(&object, &resource);
  if (error != cudaSuccess) return error;
  cudaDestroySurfaceObject(surface->hirace_object);
  surface->hirace_object = object;
  return cudaSuccess;
}
