// The fragments of nvcuda::wmma: a warp's lanes each hold some elements of a matrix (CUDA C++ programming
// guide, "Warp Matrix Functions"; PTX ISA, "Matrix Data-types", "Matrix Shape").
//
// CUDA does not say which lane holds which element. Here, groups of lanes share a line of the matrix as it is in
// memory, and each lane holds `run` neighbouring elements of it:
//
//     line 0:  lane 0, lane 0, lane 1, lane 1, lane 2, lane 2, lane 3, lane 3, lane 0, …
//     line 1:  lane 4, …
//
// So each element is accessed by one lane, and accumulators are distributed as mma.m16n8k16 distributes them.
#pragma once

#include "../../toolkit/cuda_bf16.h"
#include "../../toolkit/cuda_fp16.h"

namespace nvcuda {
namespace wmma {

struct row_major;
struct col_major;
struct matrix_a;
struct matrix_b;
struct accumulator;

enum layout_t { mem_row_major, mem_col_major };

namespace precision {
struct tf32;
}
namespace experimental {
namespace precision {
struct u4;
struct s4;
struct b1;
}  // namespace precision
enum bmmaBitOp { bmmaBitOpXOR = 1, bmmaBitOpAND = 2 };
enum bmmaAccumulateOp { bmmaAccumulateOpPOPC = 1 };
}  // namespace experimental

}  // namespace wmma
}  // namespace nvcuda

namespace hirace::cpu {

namespace wmma = nvcuda::wmma;

// How an element is stored: small ones share a word.
template <class T>
struct MatrixElement {
  using Stored = T;
  static constexpr int per_word = 1;
};
template <>
struct MatrixElement<wmma::precision::tf32> {
  using Stored = float;
  static constexpr int per_word = 1;
};
template <>
struct MatrixElement<wmma::experimental::precision::u4> {
  using Stored = unsigned int;
  static constexpr int per_word = 8;
};
template <>
struct MatrixElement<wmma::experimental::precision::s4> {
  using Stored = int;
  static constexpr int per_word = 8;
};
template <>
struct MatrixElement<wmma::experimental::precision::b1> {
  using Stored = unsigned int;
  static constexpr int per_word = 32;
};

template <class T, class... Others>
constexpr bool is_one_of = (std::is_same_v<T, Others> || ...);

// The shapes of each type, of factors and of accumulators.
template <class Use, int m, int n, int k, class T, class Layout>
constexpr bool is_fragment() {
  namespace small = wmma::experimental::precision;
  constexpr bool sums = std::is_same_v<Use, wmma::accumulator>;
  constexpr bool natural = std::is_same_v<Layout, std::conditional_t<std::is_same_v<Use, wmma::matrix_a>, wmma::row_major, wmma::col_major>>;
  if constexpr (sums != std::is_void_v<Layout>) {
    return false;
  } else if constexpr (k == 16) {
    constexpr bool shape = (m == 16 && n == 16) || (m == 32 && n == 8) || (m == 8 && n == 32);
    return shape && (sums ? is_one_of<T, __half, float, int> : is_one_of<T, __half, __nv_bfloat16, signed char, unsigned char>);
  } else if constexpr (m == 16 && n == 16 && k == 8) {
    return std::is_same_v<T, std::conditional_t<sums, float, wmma::precision::tf32>>;
  } else if constexpr (m == 8 && n == 8 && k == 4) {
    return std::is_same_v<T, double>;
  } else if constexpr (m == 8 && n == 8 && (k == 32 || k == 128)) {
    if constexpr (sums) return std::is_same_v<T, int>;
    return natural && (k == 128 ? is_one_of<T, small::b1> : is_one_of<T, small::u4, small::s4>);
  } else {
    return false;
  }
}

// Which words of the matrix each lane holds. Lines are rows, or columns of matrices in column-major order.
template <class Use, int m, int n, int k, class T, class Layout>
struct MatrixShare {
  static constexpr bool is_a = std::is_same_v<Use, wmma::matrix_a>, is_b = std::is_same_v<Use, wmma::matrix_b>;
  static constexpr int per_word = MatrixElement<T>::per_word;
  static constexpr int rows = is_b ? k : m, columns = is_a ? k : n;
  static constexpr bool by_rows = !std::is_same_v<Layout, wmma::col_major>;
  static constexpr int lines = by_rows ? rows : columns, along = (by_rows ? columns : rows) / per_word;
  static constexpr int lanes_per_line = lines >= 8 ? 4 : 32 / lines, lines_at_once = 32 / lanes_per_line;

  // As many neighbours as fit into four bytes, and pairs of accumulators.
  static constexpr int best_run() {
    constexpr int size = sizeof(typename MatrixElement<T>::Stored);
    int run = is_a || is_b ? (size < 4 ? 4 / size : 1) : 2;
    while (along % (lanes_per_line * run) != 0) run /= 2;
    return run;
  }
  static constexpr int run = best_run(), words = lines * along / 32;

  struct Place {
    int line, at;
  };
  // The first word of a run.
  static constexpr Place place(int lane, int part) {
    constexpr int steps = lines / lines_at_once;
    return {lane / lanes_per_line + part % steps * lines_at_once, lane % lanes_per_line * run + part / steps * lanes_per_line * run};
  }

  // Factors of halves have 16 elements on every GPU, some of them more than once.
  static constexpr int stored = std::is_same_v<T, __half> && (is_a || is_b) && words < 16 ? 16 : words;
};

}  // namespace hirace::cpu

namespace nvcuda {
namespace wmma {

template <class Use, int m, int n, int k, class T, class Layout = void>
class alignas(8) fragment {
  static_assert(hirace::cpu::is_fragment<Use, m, n, k, T, Layout>(), "hirace: CUDA has no fragment of this shape, type and layout");
  using Share = hirace::cpu::MatrixShare<Use, m, n, k, T, Layout>;

 public:
  enum { num_storage_elements = Share::stored, num_elements = Share::stored * Share::per_word };
  using element_type = T;
  using storage_element_type = typename hirace::cpu::MatrixElement<T>::Stored;
  storage_element_type x[static_cast<unsigned>(num_storage_elements)];
};

}  // namespace wmma
}  // namespace nvcuda
