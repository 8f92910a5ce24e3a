// Sparse matrix times vector, compressed rows, in three ways: one thread per row, one warp
// per row, and warps that take rows from a counter, because row lengths vary widely.
//
//   spmv_csr [ROWS [SEED]]
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include <cuda_runtime.h>

static void check(cudaError_t status, const char* what) {
  if (status != cudaSuccess) throw std::runtime_error(std::string(what) + ": " + cudaGetErrorString(status));
}

// An array in managed memory that host and device can access.
template <typename T>
class ManagedArray {
 public:
  explicit ManagedArray(std::size_t size) : size_(size) {
    check(cudaMallocManaged(&data_, std::max<std::size_t>(size, 1) * sizeof(T)), "cudaMallocManaged");
  }
  ManagedArray(const std::vector<T>& from) : ManagedArray(from.size()) { std::copy(from.begin(), from.end(), data_); }
  ManagedArray(const ManagedArray&) = delete;
  ManagedArray& operator=(const ManagedArray&) = delete;
  ~ManagedArray() { cudaFree(data_); }

  T* data() { return data_; }
  const T* data() const { return data_; }
  std::size_t size() const { return size_; }
  T& operator[](std::size_t i) { return data_[i]; }
  const T& operator[](std::size_t i) const { return data_[i]; }

 private:
  T* data_ = nullptr;
  std::size_t size_;
};

// A kernel's view of a matrix.
template <typename T>
struct CsrView {
  int rows;
  const int* __restrict__ begin;
  const int* __restrict__ column;
  const T* __restrict__ value;

  __host__ __device__ int length(int row) const { return begin[row + 1] - begin[row]; }
};

constexpr int warp_size = 32;
constexpr unsigned full_mask = 0xffffffffu;

template <typename T>
__device__ T warp_sum(T value) {
  for (int offset = warp_size / 2; offset > 0; offset /= 2) value += __shfl_down_sync(full_mask, value, offset);
  return value;
}

template <typename T>
__device__ T row_sum(const CsrView<T>& a, const T* __restrict__ x, int row, int lane) {
  T sum = 0;
  for (int i = a.begin[row] + lane; i < a.begin[row + 1]; i += warp_size) sum += a.value[i] * __ldg(&x[a.column[i]]);
  return warp_sum(sum);
}

template <typename T>
__global__ void spmv_thread(CsrView<T> a, const T* __restrict__ x, T* __restrict__ y) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= a.rows) return;
  T sum = 0;
  for (int i = a.begin[row]; i < a.begin[row + 1]; ++i) sum += a.value[i] * x[a.column[i]];
  y[row] = sum;
}

template <typename T>
__global__ void spmv_warp(CsrView<T> a, const T* __restrict__ x, T* __restrict__ y) {
  const int lane = threadIdx.x % warp_size;
  const int first = (blockIdx.x * blockDim.x + threadIdx.x) / warp_size;
  const int stride = gridDim.x * blockDim.x / warp_size;
  for (int row = first; row < a.rows; row += stride) {
    const T sum = row_sum(a, x, row, lane);
    if (lane == 0) y[row] = sum;
  }
}

template <typename T>
__global__ void spmv_drawn(CsrView<T> a, const T* __restrict__ x, T* __restrict__ y, int* counter) {
  const int lane = threadIdx.x % warp_size;
  for (;;) {
    int row = 0;
#ifdef RACE
    if (lane == 0) row = (*counter)++;
#else
    if (lane == 0) row = atomicAdd(counter, 1);
#endif
    row = __shfl_sync(full_mask, row, 0);
    if (row >= a.rows) break;
    const T sum = row_sum(a, x, row, lane);
    if (lane == 0) y[row] = sum;  // a row of this warp alone
  }
}

template <typename T>
struct Matrix {
  ManagedArray<int> begin, column;
  ManagedArray<T> value;
  int rows;

  CsrView<T> view() const { return {rows, begin.data(), column.data(), value.data()}; }
};

// Row lengths follow a power law, as those of graphs do.
template <typename T>
Matrix<T> make_matrix(int rows, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> uniform(0, 1);
  std::vector<int> begin{0}, column;
  std::vector<T> value;
  for (int row = 0; row < rows; ++row) {
    const int length = std::min<int>(rows, static_cast<int>(2 / std::sqrt(uniform(random) + 1e-4)));
    for (int i = 0; i < length; ++i) {
      column.push_back(static_cast<int>(random() % rows));
      value.push_back(static_cast<T>(uniform(random) - 0.5));
    }
    begin.push_back(static_cast<int>(column.size()));
  }
  return {ManagedArray<int>(begin), ManagedArray<int>(column), ManagedArray<T>(value), rows};
}

template <typename T>
bool compare(const char* name, const ManagedArray<T>& y, const std::vector<double>& expected, double tolerance) {
  for (std::size_t i = 0; i < expected.size(); ++i) {
    if (!(std::abs(y[i] - expected[i]) <= tolerance)) {
      std::printf("spmv_csr: %s: row %zu is %g, not %g, FAILED\n", name, i, static_cast<double>(y[i]), expected[i]);
      return false;
    }
  }
  return true;
}

template <typename T>
bool test(int rows, unsigned seed, double tolerance) {
  const Matrix<T> matrix = make_matrix<T>(rows, seed);
  const CsrView<T> a = matrix.view();
  ManagedArray<T> x(rows), y(rows);
  for (int i = 0; i < rows; ++i) x[i] = static_cast<T>(1.0 / (1 + i % 17));
  std::vector<double> expected(rows);
  for (int row = 0; row < rows; ++row)
    for (int i = a.begin[row]; i < a.begin[row + 1]; ++i) expected[row] += double(a.value[i]) * x[a.column[i]];

  constexpr int threads = 128;
  const int blocks = (rows + threads - 1) / threads;
  auto clear = [&] { std::fill_n(y.data(), rows, T(-1)); };
  bool right = true;

  clear();
  spmv_thread<<<blocks, threads>>>(a, x.data(), y.data());
  check(cudaDeviceSynchronize(), "spmv_thread");
  right &= compare("a thread for a row", y, expected, tolerance);

  clear();
  spmv_warp<T><<<8, threads>>>(a, x.data(), y.data());
  check(cudaDeviceSynchronize(), "spmv_warp");
  right &= compare("a warp for a row", y, expected, tolerance);

  clear();
  ManagedArray<int> counter(1);
  counter[0] = 0;
  spmv_drawn<T><<<8, threads>>>(a, x.data(), y.data(), counter.data());
  check(cudaDeviceSynchronize(), "spmv_drawn");
  right &= compare("drawn rows", y, expected, tolerance);
  return right;
}

int main(int argc, char* argv[]) try {
  const int rows = argc > 1 ? std::stoi(argv[1]) : 1000;
  const unsigned seed = argc > 2 ? std::stoul(argv[2]) : 7;
  if (rows < 1) throw std::invalid_argument("there must be at least one row");
  if (!test<float>(rows, seed, 1e-3) || !test<double>(rows, seed, 1e-9)) return EXIT_FAILURE;
  std::printf("spmv_csr: %d rows, passed\n", rows);
} catch (const std::exception& error) {
  std::fprintf(stderr, "spmv_csr: %s\n", error.what());
  return 2;
}
