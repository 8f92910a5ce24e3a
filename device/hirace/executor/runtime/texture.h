// Texture and surface objects: what the host makes of memory for kernels to fetch from.
#pragma once

#include "array.h"
#include "copy.h"

enum cudaResourceType {
  cudaResourceTypeArray = 0,
  cudaResourceTypeMipmappedArray = 1,
  cudaResourceTypeLinear = 2,
  cudaResourceTypePitch2D = 3
};
enum cudaTextureAddressMode { cudaAddressModeWrap = 0, cudaAddressModeClamp = 1, cudaAddressModeMirror = 2, cudaAddressModeBorder = 3 };
enum cudaTextureFilterMode { cudaFilterModePoint = 0, cudaFilterModeLinear = 1 };
enum cudaTextureReadMode { cudaReadModeElementType = 0, cudaReadModeNormalizedFloat = 1 };
enum cudaSurfaceBoundaryMode { cudaBoundaryModeZero = 0, cudaBoundaryModeClamp = 1, cudaBoundaryModeTrap = 2 };
enum cudaResourceViewFormat { cudaResViewFormatNone = 0 };

typedef struct cudaMipmappedArray* cudaMipmappedArray_t;
typedef unsigned long long cudaTextureObject_t;
typedef unsigned long long cudaSurfaceObject_t;

struct cudaResourceDesc {
  cudaResourceType resType;
  union {
    struct {
      cudaArray_t array;
    } array;
    struct {
      cudaMipmappedArray_t mipmap;
    } mipmap;
    struct {
      void* devPtr;
      cudaChannelFormatDesc desc;
      std::size_t sizeInBytes;
    } linear;
    struct {
      void* devPtr;
      cudaChannelFormatDesc desc;
      std::size_t width, height, pitchInBytes;
    } pitch2D;
    struct {
      int reserved[32];
    } reserved;
  } res;
  unsigned int flags;
};
struct cudaTextureDesc {
  cudaTextureAddressMode addressMode[3];
  cudaTextureFilterMode filterMode;
  cudaTextureReadMode readMode;
  int sRGB;
  float borderColor[4];
  int normalizedCoords;
  unsigned int maxAnisotropy;
  cudaTextureFilterMode mipmapFilterMode;
  float mipmapLevelBias, minMipmapLevelClamp, maxMipmapLevelClamp;
  int disableTrilinearOptimization;
  int seamlessCubemap;
};
struct cudaResourceViewDesc {
  cudaResourceViewFormat format;
  std::size_t width, height, depth;
  unsigned int firstMipmapLevel, lastMipmapLevel, firstLayer, lastLayer;
};

namespace hirace::cpu {

// A block of texels, and how it is sampled. The number of an object is its address.
struct Texels {
  cudaResourceDesc resource;
  cudaTextureDesc sampling;
  cudaChannelFormatDesc format;
  char* data;
  std::size_t width, height, depth;  // in texels, 1 in dimensions that it does not have
  std::size_t texel_bytes, pitch, slice;
  bool alive;
};

// What the resource has; null with an error where it is not valid.
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
      t.format = array->format;
      t.data = array->data;
      t.width = array->extent.width;
      t.height = array->rows();
      t.depth = array->slices();
      t.pitch = array->pitch();
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
    default:
      error = not_supported("a texture of a mipmapped array", "make a texture of an array for each level");
      return nullptr;
  }
  if (!is_valid(t.format)) {
    error = cudaErrorInvalidChannelDescriptor;
    return nullptr;
  }
  t.texel_bytes = static_cast<std::size_t>(t.format.x + t.format.y + t.format.z + t.format.w) / 8;
  if (resource->resType == cudaResourceTypeLinear) t.width = t.pitch / t.texel_bytes;
  t.slice = t.pitch * t.height;
  if (t.width == 0 || t.height == 0 || t.width * t.texel_bytes > t.pitch) return nullptr;
  if (!is_device_range(t.data, span(t.pitch, t.width * t.texel_bytes, t.height * t.depth))) return nullptr;
  error = cudaSuccess;
  return made;
}

inline cudaError_t check_sampling(const Texels& t) {
  const bool number = t.format.f == cudaChannelFormatKindFloat;
  if (t.sampling.readMode == cudaReadModeNormalizedFloat && !number && t.format.x == 32) return cudaErrorInvalidNormSetting;
  const bool fractions = number || t.sampling.readMode == cudaReadModeNormalizedFloat;
  return t.sampling.filterMode == cudaFilterModeLinear && !fractions ? cudaErrorInvalidFilterSetting : cudaSuccess;
}

inline Texels* texels_at(unsigned long long object) { return reinterpret_cast<Texels*>(static_cast<std::uintptr_t>(object)); }

// Not freed: kernels that use it all the same are told so.
inline cudaError_t destroy_texels(unsigned long long object) {
  if (object == 0) return cudaSuccess;
  if (!texels_at(object)->alive) return set_error(cudaErrorInvalidValue);
  texels_at(object)->alive = false;
  return cudaSuccess;
}

}  // namespace hirace::cpu

inline cudaError_t cudaCreateTextureObject(cudaTextureObject_t* object, const cudaResourceDesc* resource, const cudaTextureDesc* sampling,
                                           const cudaResourceViewDesc* view) {
  using hirace::cpu::set_error;
  if (object == nullptr || sampling == nullptr) return set_error(cudaErrorInvalidValue);
  if (view != nullptr && view->format != cudaResViewFormatNone) {
    return hirace::cpu::not_supported("a texture with a resource view", "give the array the format that the texture has");
  }
  if (sampling->sRGB != 0) return hirace::cpu::not_supported("cudaTextureDesc::sRGB", "convert the texels when they are fetched");
  cudaError_t error;
  std::unique_ptr<hirace::cpu::Texels> made = hirace::cpu::texels_of(resource, error);
  if (made == nullptr) return set_error(error);
  made->sampling = *sampling;
  if ((error = hirace::cpu::check_sampling(*made)) != cudaSuccess) return set_error(error);
  *object = reinterpret_cast<std::uintptr_t>(made.release());
  return cudaSuccess;
}
inline cudaError_t cudaDestroyTextureObject(cudaTextureObject_t object) { return hirace::cpu::destroy_texels(object); }
inline cudaError_t cudaGetTextureObjectResourceDesc(cudaResourceDesc* resource, cudaTextureObject_t object) {
  if (resource == nullptr || object == 0) return hirace::cpu::set_error(cudaErrorInvalidValue);
  *resource = hirace::cpu::texels_at(object)->resource;
  return cudaSuccess;
}
inline cudaError_t cudaGetTextureObjectTextureDesc(cudaTextureDesc* sampling, cudaTextureObject_t object) {
  if (sampling == nullptr || object == 0) return hirace::cpu::set_error(cudaErrorInvalidValue);
  *sampling = hirace::cpu::texels_at(object)->sampling;
  return cudaSuccess;
}

inline cudaError_t cudaCreateSurfaceObject(cudaSurfaceObject_t* object, const cudaResourceDesc* resource) {
  using hirace::cpu::set_error;
  if (object == nullptr || resource == nullptr || resource->resType != cudaResourceTypeArray) return set_error(cudaErrorInvalidValue);
  cudaError_t error;
  std::unique_ptr<hirace::cpu::Texels> made = hirace::cpu::texels_of(resource, error);
  if (made == nullptr) return set_error(error);
  if ((resource->res.array.array->flags & cudaArraySurfaceLoadStore) == 0) return set_error(cudaErrorInvalidValue);
  *object = reinterpret_cast<std::uintptr_t>(made.release());
  return cudaSuccess;
}
inline cudaError_t cudaDestroySurfaceObject(cudaSurfaceObject_t object) { return hirace::cpu::destroy_texels(object); }
inline cudaError_t cudaGetSurfaceObjectResourceDesc(cudaResourceDesc* resource, cudaSurfaceObject_t object) {
  return cudaGetTextureObjectResourceDesc(resource, object);
}
