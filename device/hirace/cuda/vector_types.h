// CUDA's vector types and dim3, with the sizes and alignments of the CUDA guide.
#pragma once

// The device loads and stores a vector as a whole if its size is its alignment; the others are
// aligned like their elements.
#define HIRACE_VECTOR_TYPES(element, name, align2, align4) \
  struct name##1 {                                         \
    element x;                                             \
  };                                                       \
  struct alignas(align2) name##2 {                         \
    element x, y;                                          \
  };                                                       \
  struct name##3 {                                         \
    element x, y, z;                                       \
  };                                                       \
  struct alignas(align4) name##4 {                         \
    element x, y, z, w;                                    \
  };                                                       \
  inline constexpr name##1 make_##name##1(element x) {     \
    return {x};                                            \
  }                                                        \
  inline constexpr name##2 make_##name##2(element x, element y) { \
    return {x, y};                                         \
  }                                                        \
  inline constexpr name##3 make_##name##3(element x, element y, element z) { \
    return {x, y, z};                                      \
  }                                                        \
  inline constexpr name##4 make_##name##4(element x, element y, element z, element w) { \
    return {x, y, z, w};                                   \
  }

HIRACE_VECTOR_TYPES(signed char, char, 2, 4)
HIRACE_VECTOR_TYPES(unsigned char, uchar, 2, 4)
HIRACE_VECTOR_TYPES(short, short, 4, 8)
HIRACE_VECTOR_TYPES(unsigned short, ushort, 4, 8)
HIRACE_VECTOR_TYPES(int, int, 8, 16)
HIRACE_VECTOR_TYPES(unsigned int, uint, 8, 16)
HIRACE_VECTOR_TYPES(long, long, 2 * sizeof(long), 16)
HIRACE_VECTOR_TYPES(unsigned long, ulong, 2 * sizeof(long), 16)
HIRACE_VECTOR_TYPES(long long, longlong, 16, 16)
HIRACE_VECTOR_TYPES(unsigned long long, ulonglong, 16, 16)
HIRACE_VECTOR_TYPES(float, float, 8, 16)
HIRACE_VECTOR_TYPES(double, double, 16, 16)

#undef HIRACE_VECTOR_TYPES

// CUDA 13 has vectors of four long elements in both alignments, under separate names.
#define HIRACE_WIDE_VECTOR(element, vector, bytes)                                                  \
  struct alignas(bytes) vector##_##bytes##a {                                                       \
    element x, y, z, w;                                                                             \
  };                                                                                                \
  inline constexpr vector##_##bytes##a make_##vector##_##bytes##a(element x, element y, element z, element w) { \
    return {x, y, z, w};                                                                            \
  }
#define HIRACE_WIDE_VECTORS(element, vector) \
  HIRACE_WIDE_VECTOR(element, vector, 16)    \
  HIRACE_WIDE_VECTOR(element, vector, 32)
HIRACE_WIDE_VECTORS(long, long4)
HIRACE_WIDE_VECTORS(unsigned long, ulong4)
HIRACE_WIDE_VECTORS(long long, longlong4)
HIRACE_WIDE_VECTORS(unsigned long long, ulonglong4)
HIRACE_WIDE_VECTORS(double, double4)
#undef HIRACE_WIDE_VECTORS
#undef HIRACE_WIDE_VECTOR

static_assert(sizeof(float3) == 12 && alignof(float3) == 4, "as in the CUDA C++ programming guide, table of vector types");
static_assert(sizeof(double4) == 32 && alignof(double4) == 16, "as in the CUDA C++ programming guide, table of vector types");

struct dim3 {
  unsigned int x, y, z;
  constexpr dim3(unsigned int vx = 1, unsigned int vy = 1, unsigned int vz = 1) : x(vx), y(vy), z(vz) {}
  constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
  constexpr operator uint3() const { return {x, y, z}; }
};
