//! run -> 0
//! run HIRACE_SEED=1 -> 0
// Products of matrix fragments of every shape and type, against plain products.
#include <mma.h>

#include "check.h"

namespace wmma = nvcuda::wmma;
namespace small = wmma::experimental::precision;

template <class T>
float number(T value) {
  return static_cast<float>(value);
}

// The element at (row, column) of a matrix with `ldm` elements from line to line.
template <class Layout>
unsigned at(unsigned row, unsigned column, unsigned ldm) {
  return std::is_same_v<Layout, wmma::row_major> ? row * ldm + column : column * ldm + row;
}

template <int m, int n, int k, class T, class Stored, class Sum, class A, class B>
__global__ void multiply(const Stored* a, const Stored* b, const Sum* c, Sum* d, wmma::layout_t layout, unsigned ldm) {
  wmma::fragment<wmma::matrix_a, m, n, k, T, A> left;
  wmma::fragment<wmma::matrix_b, m, n, k, T, B> right;
  wmma::fragment<wmma::accumulator, m, n, k, Sum> sum, doubled;
  wmma::load_matrix_sync(left, a, ldm);
  wmma::load_matrix_sync(right, b, ldm);
  wmma::load_matrix_sync(sum, c, ldm, layout);
  wmma::fill_fragment(doubled, 2.0f);
  static_assert(sum.num_elements == m * n / 32, "each element is in one lane");
  for (int i = 0; i < sum.num_elements; ++i) sum.x[i] = Sum(number(sum.x[i]) * number(doubled.x[i]));
  for (int i = 0; i < left.num_elements; ++i) left.x[i] = typename decltype(left)::storage_element_type(number(left.x[i]));
  wmma::mma_sync(sum, left, right, sum);
  wmma::store_matrix_sync(d, sum, ldm, layout);
}

template <int m, int n, int k, class T, class Stored, class Sum, class A, class B>
void test_product(wmma::layout_t layout) {
  constexpr unsigned ldm = 40;
  auto* const a = managed<Stored>(40 * ldm);
  auto* const b = managed<Stored>(40 * ldm);
  auto* const c = managed<Sum>(40 * ldm);
  auto* const d = managed<Sum>(40 * ldm);
  for (unsigned i = 0; i < 40 * ldm; ++i) {
    a[i] = Stored(static_cast<int>(i * 7 % 11));
    b[i] = Stored(static_cast<int>(i * 5 % 13));
    c[i] = Sum(static_cast<int>(i % 17));
  }
  launch("multiply", dim3(2), dim3(64), 0, [&] { multiply<m, n, k, T, Stored, Sum, A, B>(a, b, c, d, layout, ldm); });
  CHECK(cudaDeviceSynchronize() == cudaSuccess);
  const auto place = layout == wmma::mem_row_major ? at<wmma::row_major> : at<wmma::col_major>;
  for (unsigned row = 0; row < m; ++row) {
    for (unsigned column = 0; column < n; ++column) {
      float sum = 2 * number(c[place(row, column, ldm)]);
      for (unsigned step = 0; step < k; ++step) sum += number(a[at<A>(row, step, ldm)]) * number(b[at<B>(step, column, ldm)]);
      CHECK(number(d[place(row, column, ldm)]) == number(Sum(sum)));
    }
  }
}

// Each layout of each factor.
template <int m, int n, int k, class T, class Stored, class Sum>
void test_layouts() {
  for (const wmma::layout_t layout : {wmma::mem_row_major, wmma::mem_col_major}) {
    test_product<m, n, k, T, Stored, Sum, wmma::row_major, wmma::col_major>(layout);
    test_product<m, n, k, T, Stored, Sum, wmma::col_major, wmma::row_major>(layout);
  }
}

template <int m, int n>
void test_shape() {
  test_layouts<m, n, 16, half, half, float>();
  test_layouts<m, n, 16, half, half, half>();
  test_layouts<m, n, 16, __nv_bfloat16, __nv_bfloat16, float>();
  test_layouts<m, n, 16, signed char, signed char, int>();
  test_layouts<m, n, 16, unsigned char, unsigned char, int>();
}

// Small elements share words: element (line, i) is digit i of the line.
template <int k, class T>
__global__ void multiply_packed(const unsigned* a, const unsigned* b, int* d, bool intersects) {
  wmma::fragment<wmma::matrix_a, 8, 8, k, T, wmma::row_major> left;
  wmma::fragment<wmma::matrix_b, 8, 8, k, T, wmma::col_major> right;
  wmma::fragment<wmma::accumulator, 8, 8, k, int> sum;
  wmma::fill_fragment(sum, 1);
  wmma::load_matrix_sync(left, a, k);
  wmma::load_matrix_sync(right, b, k);
  if constexpr (std::is_same_v<T, small::b1>) {
    wmma::bmma_sync(sum, left, right, sum, intersects ? wmma::experimental::bmmaBitOpAND : wmma::experimental::bmmaBitOpXOR);
  } else {
    wmma::mma_sync(sum, left, right, sum);
  }
  wmma::store_matrix_sync(d, sum, 8, wmma::mem_row_major);
}

template <int k, class T, class Product>
void test_packed(bool intersects, const Product& product) {
  constexpr unsigned words = k == 32 ? 4 : 4;
  auto* const a = managed<unsigned>(8 * words);
  auto* const b = managed<unsigned>(8 * words);
  auto* const d = managed<int>(64);
  for (unsigned i = 0; i < 8 * words; ++i) {
    a[i] = i * 2654435761u;
    b[i] = i * 2246822519u + 374761393u;
  }
  launch("multiply_packed", dim3(1), dim3(32), 0, [&] { multiply_packed<k, T>(a, b, d, intersects); });
  CHECK(cudaDeviceSynchronize() == cudaSuccess);
  for (unsigned row = 0; row < 8; ++row) {
    for (unsigned column = 0; column < 8; ++column) {
      int sum = 1;
      for (unsigned word = 0; word < words; ++word) sum += product(a[row * words + word], b[column * words + word]);
      CHECK(d[row * 8 + column] == sum);
    }
  }
}

void test_small_elements() {
  test_packed<32, small::u4>(false, [](unsigned a, unsigned b) {
    int sum = 0;
    for (unsigned i = 0; i < 32; i += 4) sum += static_cast<int>((a >> i & 15) * (b >> i & 15));
    return sum;
  });
  test_packed<32, small::s4>(false, [](unsigned a, unsigned b) {
    int sum = 0;
    for (unsigned i = 0; i < 32; i += 4) sum += (static_cast<int>(a << (28 - i)) >> 28) * (static_cast<int>(b << (28 - i)) >> 28);
    return sum;
  });
  test_packed<128, small::b1>(false, [](unsigned a, unsigned b) { return __builtin_popcount(a ^ b); });
  test_packed<128, small::b1>(true, [](unsigned a, unsigned b) { return __builtin_popcount(a & b); });
}

__global__ void saturate(int* ok) {
  wmma::fragment<wmma::matrix_a, 16, 16, 16, signed char, wmma::row_major> left;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, signed char, wmma::row_major> right;
  wmma::fragment<wmma::accumulator, 16, 16, 16, int> sum, most;
  wmma::fill_fragment(left, 100);
  wmma::fill_fragment(right, 100);
  wmma::fill_fragment(most, 0x7fffffff);
  wmma::mma_sync(sum, left, right, most, true);
  bool good = sum.x[0] == 0x7fffffff;
  wmma::mma_sync(sum, left, right, most);
  good &= sum.x[0] == static_cast<int>(0x7fffffffu + 160000u);
  if (good) ok[threadIdx.x] = 1;
}

int main() {
  test_shape<16, 16>();
  test_shape<32, 8>();
  test_shape<8, 32>();
  test_layouts<16, 16, 8, wmma::precision::tf32, float, float>();
  test_layouts<8, 8, 4, double, double, double>();
  test_small_elements();
  CHECK(wmma::__float_to_tf32(1.0f + 0x1p-11f) == 1.0f + 0x1p-10f && wmma::__float_to_tf32(-1.0f - 0x1p-12f) == -1.0f);
  int* const ok = managed<int>(32);
  launch("saturate", dim3(1), dim3(32), 0, [&] { saturate(ok); });
  CHECK(cudaDeviceSynchronize() == cudaSuccess);
  for (int i = 0; i < 32; ++i) CHECK(ok[i] == 1);
}
