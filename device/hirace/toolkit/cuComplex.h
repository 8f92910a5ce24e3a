// CUDA's complex numbers for C, which are vectors: cuFloatComplex and cuDoubleComplex.
#pragma once

#include "../hirace.cuh"

// The functions for one type; `f` ends the names of those for floats. Quotients and absolute values are
// scaled, so that no intermediate result overflows.
#define HIRACE_COMPLEX(type, vector, number, f)                                                                     \
  typedef vector type;                                                                                              \
  inline type make_##type(number real, number imaginary) { return {real, imaginary}; }                              \
  inline number cuCreal##f(type a) { return a.x; }                                                                  \
  inline number cuCimag##f(type a) { return a.y; }                                                                  \
  inline type cuConj##f(type a) { return {a.x, -a.y}; }                                                             \
  inline type cuCadd##f(type a, type b) { return {a.x + b.x, a.y + b.y}; }                                          \
  inline type cuCsub##f(type a, type b) { return {a.x - b.x, a.y - b.y}; }                                          \
  inline type cuCmul##f(type a, type b) { return {a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x}; }                  \
  inline type cuCdiv##f(type a, type b) {                                                                           \
    const number scale = 1 / (std::fabs(b.x) + std::fabs(b.y));                                                     \
    const type p = {a.x * scale, a.y * scale}, q = {b.x * scale, b.y * scale};                                      \
    const number inverse = 1 / (q.x * q.x + q.y * q.y);                                                             \
    return {(p.x * q.x + p.y * q.y) * inverse, (p.y * q.x - p.x * q.y) * inverse};                                  \
  }                                                                                                                 \
  inline number cuCabs##f(type a) { return std::hypot(a.x, a.y); }                                                  \
  inline type cuCfma##f(type a, type b, type c) {                                                                   \
    return {a.x * b.x + c.x - a.y * b.y, a.x * b.y + c.y + a.y * b.x};                                              \
  }

HIRACE_COMPLEX(cuFloatComplex, float2, float, f)
HIRACE_COMPLEX(cuDoubleComplex, double2, double, )
#undef HIRACE_COMPLEX

typedef cuFloatComplex cuComplex;
inline cuComplex make_cuComplex(float real, float imaginary) { return {real, imaginary}; }
inline cuDoubleComplex cuComplexFloatToDouble(cuFloatComplex a) { return {a.x, a.y}; }
inline cuFloatComplex cuComplexDoubleToFloat(cuDoubleComplex a) {
  return {static_cast<float>(a.x), static_cast<float>(a.y)};
}
