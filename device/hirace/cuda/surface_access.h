// Surface reads and writes; the first coordinate is in bytes (CUDA C++ Programming Guide, "Surface
// Functions"). Each is a checked access of its texel.
#pragma once

#include "texture_fetch.h"

namespace hirace::cpu {

// The address of `bytes` bytes; null if they are out of range and the mode ignores that.
inline char* place_in_surface(const TexelsAt& at, std::size_t bytes, int x, int y, int z, cudaSurfaceBoundaryMode mode) {
  const Texels& t = at.get();
  const auto row = static_cast<long>(t.width * t.texel_bytes), size = static_cast<long>(bytes);
  const bool inside = x >= 0 && x + size <= row && y >= 0 && y < static_cast<long>(t.height) && z >= 0 && z < static_cast<long>(t.depth);
  if (!inside) {
    if (mode == cudaBoundaryModeZero) return nullptr;
    if (mode == cudaBoundaryModeTrap) {
      std::fprintf(stderr, "hirace: a surface access at byte %d, row %d, slice %d is outside the array\n", x, y, z);
      fail(Fault::out_of_bounds, at.site, reinterpret_cast<std::uintptr_t>(t.data));
    }
    const auto clamp = [](long value, long last) { return static_cast<int>(value < 0 ? 0 : value > last ? last : value); };
    x = clamp(x, row - size);
    y = clamp(y, static_cast<long>(t.height) - 1);
    z = clamp(z, static_cast<long>(t.depth) - 1);
  }
  return t.data + static_cast<std::size_t>(z) * t.slice + static_cast<std::size_t>(y) * t.pitch + static_cast<std::size_t>(x);
}

template <class T>
T read_surface(const TexelsAt& at, int x, int y, int z, cudaSurfaceBoundaryMode mode) {
  T value{};
  const char* const place = place_in_surface(at, sizeof(T), x, y, z, mode);
  if (place == nullptr) return value;
  check_texel(AccessKind::read, place, sizeof(T), at.site);
  std::memcpy(&value, place, sizeof(T));
  return value;
}
template <class T>
void write_surface(const TexelsAt& at, const T& value, int x, int y, int z, cudaSurfaceBoundaryMode mode) {
  char* const place = place_in_surface(at, sizeof(T), x, y, z, mode);
  if (place == nullptr) return;
  check_texel(AccessKind::write, place, sizeof(T), at.site);
  std::memcpy(place, &value, sizeof(T));
}

}  // namespace hirace::cpu

// A family of functions: `parameters` are its coordinates, `x, y, z` their meaning in an array.
#define HIRACE_SURFACE(name, parameters, arguments, y, z)                                                                    \
  template <class T>                                                                                                         \
  T name##read(hirace::cpu::TexelsAt surface, HIRACE_LIST parameters, cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) { \
    return hirace::cpu::read_surface<T>(surface, x, y, z, mode);                                                             \
  }                                                                                                                          \
  template <class T>                                                                                                         \
  void name##read(T* out, hirace::cpu::TexelsAt surface, HIRACE_LIST parameters,                                             \
                  cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {                                                     \
    *out = name##read<T>(surface, HIRACE_LIST arguments, mode);                                                              \
  }                                                                                                                          \
  template <class T>                                                                                                         \
  void name##write(T value, hirace::cpu::TexelsAt surface, HIRACE_LIST parameters,                                           \
                   cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {                                                    \
    hirace::cpu::write_surface<T>(surface, value, x, y, z, mode);                                                            \
  }
#define HIRACE_LIST(...) __VA_ARGS__

HIRACE_SURFACE(surf1D, (int x), (x), 0, 0)
HIRACE_SURFACE(surf2D, (int x, int y), (x, y), y, 0)
HIRACE_SURFACE(surf3D, (int x, int y, int z), (x, y, z), y, z)
HIRACE_SURFACE(surf1DLayered, (int x, int layer), (x, layer), 0, layer)
HIRACE_SURFACE(surf2DLayered, (int x, int y, int layer), (x, y, layer), y, layer)
HIRACE_SURFACE(surfCubemap, (int x, int y, int face), (x, y, face), y, face)
HIRACE_SURFACE(surfCubemapLayered, (int x, int y, int face_of_layer), (x, y, face_of_layer), y, face_of_layer)

#undef HIRACE_LIST
#undef HIRACE_SURFACE
