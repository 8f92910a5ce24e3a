// The definitions of texture.h.
#pragma once

#include <memory>

#include "../check/texel_writes.h"
#include "array.inl.h"
#include "copy.inl.h"
#include "texture.h"

namespace hirace::cpu {

inline std::uintptr_t begin_of(const Texels& t) { return reinterpret_cast<std::uintptr_t>(t.data); }
inline std::size_t bytes_of(const Texels& t) { return span(t.pitch, t.width * t.texel_bytes, t.height * t.depth); }

inline void set_array(Texels& t, const cudaArray& array) {
  t.format = array.format;
  t.data = array.data;
  t.width = array.extent.width;
  t.height = array.rows();
  t.depth = array.slices();
  t.pitch = array.pitch();
}

// The texels of a resource; null and an error if it is not valid.
inline std::unique_ptr<Texels> texels_of(const cudaResourceDesc* resource, cudaError_t& error) {
  error = cudaErrorInvalidValue;
  if (resource == nullptr) return nullptr;
  auto made = std::make_unique<Texels>();
  Texels& t = *made;
  t.resource = *resource;
  t.alive = true;
  t.height = t.depth = 1;
  switch (resource->resType) {
    case cudaResourceTypeArray: {
      const cudaArray* const array = resource->res.array.array;
      if (array == nullptr) return nullptr;
      set_array(t, *array);
      break;
    }
    case cudaResourceTypeLinear: {
      const auto& linear = resource->res.linear;
      t.format = linear.desc;
      t.data = static_cast<char*>(linear.devPtr);
      t.pitch = linear.sizeInBytes;
      break;
    }
    case cudaResourceTypePitch2D: {
      const auto& rows = resource->res.pitch2D;
      constexpr std::size_t pitch_alignment = 32;
      if (rows.pitchInBytes % pitch_alignment != 0) return nullptr;
      t.format = rows.desc;
      t.data = static_cast<char*>(rows.devPtr);
      t.width = rows.width;
      t.height = rows.height;
      t.pitch = rows.pitchInBytes;
      break;
    }
    case cudaResourceTypeMipmappedArray: {
      const cudaMipmappedArray* const array = resource->res.mipmap.mipmap;
      if (array == nullptr) return nullptr;
      set_array(t, *array->levels[0]);
      break;
    }
    default: return nullptr;
  }
  if (!is_valid(t.format)) {
    error = cudaErrorInvalidChannelDescriptor;
    return nullptr;
  }
  t.texel_bytes = static_cast<std::size_t>(t.format.x + t.format.y + t.format.z + t.format.w) / 8;
  if (resource->resType == cudaResourceTypeLinear) t.width = t.pitch / t.texel_bytes;
  t.slice = t.pitch * t.height;
  if (t.width == 0 || t.height == 0 || t.width * t.texel_bytes > t.pitch) return nullptr;
  if (!is_device_range(t.data, bytes_of(t))) return nullptr;
  error = cudaSuccess;
  return made;
}

inline cudaError_t check_sampling(const Texels& t) {
  const bool number = t.format.f == cudaChannelFormatKindFloat;
  if (t.sampling.readMode == cudaReadModeNormalizedFloat && !number && t.format.x == 32) return cudaErrorInvalidNormSetting;
  const bool fractions = number || t.sampling.readMode == cudaReadModeNormalizedFloat;
  return t.sampling.filterMode == cudaFilterModeLinear && !fractions ? cudaErrorInvalidFilterSetting : cudaSuccess;
}

// The levels of a texture of a mipmapped array. Like the texture, they are not freed.
inline void add_levels(Texels& t) {
  if (t.resource.resType != cudaResourceTypeMipmappedArray) return;
  const cudaMipmappedArray& array = *t.resource.res.mipmap.mipmap;
  const auto levels = new Texels[array.count];
  for (unsigned int level = 0; level < array.count; ++level) {
    levels[level] = t;
    set_array(levels[level], *array.levels[level]);
    levels[level].slice = levels[level].pitch * levels[level].height;
  }
  t.levels = levels;
  t.level_count = array.count;
}

// The number of a new object. Kernels can write what it reads if it is a surface, or if it is not of an array.
inline unsigned long long add_object(std::unique_ptr<Texels> made, bool is_surface) {
  made->is_surface = is_surface;
  if (is_surface) texel_writes().count_surface(1);
  if (!made->is_of_array()) texel_writes().add_linear(begin_of(*made), bytes_of(*made));
  return reinterpret_cast<std::uintptr_t>(made.release());
}

// Not freed, so that kernels that still use it get an error.
inline cudaError_t destroy_texels(unsigned long long object) {
  if (object == 0) return cudaSuccess;
  Texels& t = *texels_at(object);
  if (!t.alive) return set_error(cudaErrorInvalidValue);
  t.alive = false;
  if (t.is_surface) texel_writes().count_surface(-1);
  if (!t.is_of_array()) texel_writes().remove_linear(begin_of(t), bytes_of(t));
  return cudaSuccess;
}

}  // namespace hirace::cpu

HIRACE_RUNTIME cudaError_t cudaCreateTextureObject(cudaTextureObject_t* object, const cudaResourceDesc* resource,
                                                   const cudaTextureDesc* sampling, const cudaResourceViewDesc* view) {
  using hirace::cpu::set_error;
  if (object == nullptr || sampling == nullptr) return set_error(cudaErrorInvalidValue);
  if (view != nullptr && view->format != cudaResViewFormatNone) {
    return hirace::cpu::not_supported("a texture with a resource view", "create the array with the texture's format");
  }
  if (sampling->sRGB != 0) return hirace::cpu::not_supported("cudaTextureDesc::sRGB", "convert the texels when they are fetched");
  cudaError_t error;
  std::unique_ptr<hirace::cpu::Texels> made = hirace::cpu::texels_of(resource, error);
  if (made == nullptr) return set_error(error);
  made->sampling = *sampling;
  if ((error = hirace::cpu::check_sampling(*made)) != cudaSuccess) return set_error(error);
  hirace::cpu::add_levels(*made);
  *object = hirace::cpu::add_object(std::move(made), false);
  return cudaSuccess;
}
HIRACE_RUNTIME cudaError_t cudaDestroyTextureObject(cudaTextureObject_t object) { return hirace::cpu::destroy_texels(object); }
HIRACE_RUNTIME cudaError_t cudaGetTextureObjectResourceDesc(cudaResourceDesc* resource, cudaTextureObject_t object) {
  if (resource == nullptr || object == 0) return hirace::cpu::set_error(cudaErrorInvalidValue);
  *resource = hirace::cpu::texels_at(object)->resource;
  return cudaSuccess;
}
HIRACE_RUNTIME cudaError_t cudaGetTextureObjectTextureDesc(cudaTextureDesc* sampling, cudaTextureObject_t object) {
  if (sampling == nullptr || object == 0) return hirace::cpu::set_error(cudaErrorInvalidValue);
  *sampling = hirace::cpu::texels_at(object)->sampling;
  return cudaSuccess;
}

HIRACE_RUNTIME cudaError_t cudaCreateSurfaceObject(cudaSurfaceObject_t* object, const cudaResourceDesc* resource) {
  using hirace::cpu::set_error;
  if (object == nullptr || resource == nullptr || resource->resType != cudaResourceTypeArray) return set_error(cudaErrorInvalidValue);
  cudaError_t error;
  std::unique_ptr<hirace::cpu::Texels> made = hirace::cpu::texels_of(resource, error);
  if (made == nullptr) return set_error(error);
  if ((resource->res.array.array->flags & cudaArraySurfaceLoadStore) == 0) return set_error(cudaErrorInvalidValue);
  *object = hirace::cpu::add_object(std::move(made), true);
  return cudaSuccess;
}
HIRACE_RUNTIME cudaError_t cudaDestroySurfaceObject(cudaSurfaceObject_t object) { return hirace::cpu::destroy_texels(object); }
HIRACE_RUNTIME cudaError_t cudaGetSurfaceObjectResourceDesc(cudaResourceDesc* resource, cudaSurfaceObject_t object) {
  return cudaGetTextureObjectResourceDesc(resource, object);
}
