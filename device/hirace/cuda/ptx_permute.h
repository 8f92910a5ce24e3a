// `prmt` and its modes (PTX ISA, "Data Movement and Conversion Instructions: prmt").
#pragma once

#include "integers.h"
#include "ptx.h"

namespace hirace::cpu::ptx {

template <class T>
inline T prmt(T a, T b, T selector) {
  return __byte_perm(a, b, selector);
}

// The modes, by their names: which byte of the pair becomes byte `at` of the result. The lowest two bits of the third
// operand control it.
namespace permute {
struct f4e {
  static unsigned byte(unsigned control, unsigned at) { return control + at; }
};
struct b4e {
  static unsigned byte(unsigned control, unsigned at) { return (control - at) & 7; }
};
struct rc8 {
  static unsigned byte(unsigned control, unsigned) { return control; }
};
struct ecl {
  static unsigned byte(unsigned control, unsigned at) { return at < control ? control : at; }
};
struct ecr {
  static unsigned byte(unsigned control, unsigned at) { return at < control ? at : control; }
};
struct rc16 {
  static unsigned byte(unsigned control, unsigned at) { return control % 2 * 2 + at % 2; }
};
}  // namespace permute

template <class Mode>
inline u32 prmt_by(u32 a, u32 b, u32 control) {
  unsigned selector = 0;
  for (unsigned at = 0; at < 4; ++at) selector |= Mode::byte(control & 3, at) << 4 * at;
  return __byte_perm(a, b, selector);
}

}  // namespace hirace::cpu::ptx
