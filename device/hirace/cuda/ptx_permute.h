// `prmt` and its modes (PTX ISA, "Data Movement and Conversion Instructions: prmt").
#pragma once

#include "integers.h"

namespace hirace::cpu::ptx {

template <class T>
inline T prmt(T a, T b, T selector) {
  return __byte_perm(a, b, selector);
}

// The modes of `prmt`, which choose by the lowest two bits of `control`: byte `at` of the result.
struct Forward4 {
  static unsigned byte(unsigned control, unsigned at) { return control + at; }
};
struct Backward4 {
  static unsigned byte(unsigned control, unsigned at) { return (control - at) & 7; }
};
struct Replicated8 {
  static unsigned byte(unsigned control, unsigned) { return control; }
};
struct ClampedLeft {
  static unsigned byte(unsigned control, unsigned at) { return at < control ? control : at; }
};
struct ClampedRight {
  static unsigned byte(unsigned control, unsigned at) { return at < control ? at : control; }
};
struct Replicated16 {
  static unsigned byte(unsigned control, unsigned at) { return control % 2 * 2 + at % 2; }
};
template <class Mode, class T>
inline T prmt_by(T a, T b, T control) {
  unsigned selector = 0;
  for (unsigned at = 0; at < 4; ++at) selector |= Mode::byte(control & 3, at) << 4 * at;
  return __byte_perm(a, b, selector);
}
template <class T>
inline T prmt_f4e(T a, T b, T control) {
  return prmt_by<Forward4>(a, b, control);
}
template <class T>
inline T prmt_b4e(T a, T b, T control) {
  return prmt_by<Backward4>(a, b, control);
}
template <class T>
inline T prmt_rc8(T a, T b, T control) {
  return prmt_by<Replicated8>(a, b, control);
}
template <class T>
inline T prmt_ecl(T a, T b, T control) {
  return prmt_by<ClampedLeft>(a, b, control);
}
template <class T>
inline T prmt_ecr(T a, T b, T control) {
  return prmt_by<ClampedRight>(a, b, control);
}
template <class T>
inline T prmt_rc16(T a, T b, T control) {
  return prmt_by<Replicated16>(a, b, control);
}

}  // namespace hirace::cpu::ptx
