// CUDA arrays, and memory in three dimensions.
//
// An array is a dense block of device memory: fetches and surface writes are checked like
// loads and stores of its texels.
#pragma once

#include <type_traits>

#include "../../cuda/vector_types.h"
#include "memory.h"

enum cudaChannelFormatKind {
  cudaChannelFormatKindSigned = 0,
  cudaChannelFormatKindUnsigned = 1,
  cudaChannelFormatKindFloat = 2,
  cudaChannelFormatKindNone = 3
};
struct cudaChannelFormatDesc {
  int x, y, z, w;  // bits of each channel
  cudaChannelFormatKind f;
};

struct cudaExtent {
  std::size_t width, height, depth;
};
struct cudaPos {
  std::size_t x, y, z;
};
struct cudaPitchedPtr {
  void* ptr;
  std::size_t pitch, xsize, ysize;
};
inline cudaExtent make_cudaExtent(std::size_t width, std::size_t height, std::size_t depth) { return {width, height, depth}; }
inline cudaPos make_cudaPos(std::size_t x, std::size_t y, std::size_t z) { return {x, y, z}; }
inline cudaPitchedPtr make_cudaPitchedPtr(void* pointer, std::size_t pitch, std::size_t width, std::size_t height) {
  return {pointer, pitch, width, height};
}

constexpr unsigned int cudaArrayDefault = 0, cudaArrayLayered = 1, cudaArraySurfaceLoadStore = 2, cudaArrayCubemap = 4,
                       cudaArrayTextureGather = 8, cudaArrayColorAttachment = 0x20, cudaArraySparse = 0x40,
                       cudaArrayDeferredMapping = 0x80;

struct cudaArray {
  cudaChannelFormatDesc format;
  cudaExtent extent;  // as requested: 0 in unused dimensions
  unsigned int flags;
  char* data;

  std::size_t texel_bytes() const { return static_cast<std::size_t>(format.x + format.y + format.z + format.w) / 8; }
  std::size_t pitch() const { return extent.width * texel_bytes(); }
  std::size_t rows() const { return extent.height != 0 ? extent.height : 1; }
  std::size_t slices() const { return extent.depth != 0 ? extent.depth : 1; }
};
typedef cudaArray* cudaArray_t;
typedef const cudaArray* cudaArray_const_t;

inline cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w, cudaChannelFormatKind kind) { return {x, y, z, w, kind}; }

namespace hirace::cpu {

// The channels of a texel: a number, or a vector with members x to w.
template <class T, class = void>
struct Texel {
  using Channel = T;
  static constexpr int channels = 1;
};
template <class T>
struct Texel<T, std::void_t<decltype(T::x)>> {
  using Channel = decltype(T::x);
  static constexpr int channels = static_cast<int>(sizeof(T) / sizeof(Channel));
};

template <class T>
constexpr cudaChannelFormatKind channel_kind =
    std::is_floating_point_v<T> ? cudaChannelFormatKindFloat
    : std::is_signed_v<T>       ? cudaChannelFormatKindSigned
    : std::is_unsigned_v<T>     ? cudaChannelFormatKindUnsigned
                                : cudaChannelFormatKindFloat;  // half precision

}  // namespace hirace::cpu

template <class T>
cudaChannelFormatDesc cudaCreateChannelDesc() {
  using Texel = hirace::cpu::Texel<T>;
  constexpr int bits = static_cast<int>(sizeof(typename Texel::Channel)) * 8, channels = Texel::channels;
  return {bits, channels > 1 ? bits : 0, channels > 2 ? bits : 0, channels > 3 ? bits : 0,
          hirace::cpu::channel_kind<typename Texel::Channel>};
}
inline cudaChannelFormatDesc cudaCreateChannelDescHalf() { return {16, 0, 0, 0, cudaChannelFormatKindFloat}; }
inline cudaChannelFormatDesc cudaCreateChannelDescHalf1() { return {16, 0, 0, 0, cudaChannelFormatKindFloat}; }
inline cudaChannelFormatDesc cudaCreateChannelDescHalf2() { return {16, 16, 0, 0, cudaChannelFormatKindFloat}; }
inline cudaChannelFormatDesc cudaCreateChannelDescHalf4() { return {16, 16, 16, 16, cudaChannelFormatKindFloat}; }

cudaError_t cudaMalloc3DArray(cudaArray_t* array, const cudaChannelFormatDesc* format, cudaExtent extent, unsigned int flags = 0);
cudaError_t cudaMallocArray(cudaArray_t* array, const cudaChannelFormatDesc* format, std::size_t width, std::size_t height = 0,
                            unsigned int flags = 0);
cudaError_t cudaFreeArray(cudaArray_t array);
cudaError_t cudaArrayGetInfo(cudaChannelFormatDesc* format, cudaExtent* extent, unsigned int* flags, cudaArray_t array);
cudaError_t cudaGetChannelDesc(cudaChannelFormatDesc* format, cudaArray_const_t array);

// Arrays that are halved from level to level; level 0 has the requested extent.
struct cudaMipmappedArray {
  static constexpr unsigned int max_levels = 32;
  cudaArray_t levels[max_levels];
  unsigned int count;
};
typedef cudaMipmappedArray* cudaMipmappedArray_t;
typedef const cudaMipmappedArray* cudaMipmappedArray_const_t;

cudaError_t cudaMallocMipmappedArray(cudaMipmappedArray_t* array, const cudaChannelFormatDesc* format, cudaExtent extent, unsigned int levels,
                                     unsigned int flags = 0);
cudaError_t cudaFreeMipmappedArray(cudaMipmappedArray_t array);
cudaError_t cudaGetMipmappedArrayLevel(cudaArray_t* array, cudaMipmappedArray_const_t of, unsigned int level);

cudaError_t cudaMalloc3D(cudaPitchedPtr* pointer, cudaExtent extent);
