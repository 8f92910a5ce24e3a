// Transposes matrices in several ways, and compares their speed.
//
//   matrix_transpose [rows, at least 4] [columns] [repetitions]
//
// Through tiles in shared memory, so that both matrices are accessed along their
// rows; the same with four elements per access; and in place, for square matrices, where
// a block swaps two tiles.
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <memory>
#include <type_traits>
#include <vector>

#include <cuda_runtime.h>

namespace {

inline void throw_on_error(cudaError_t code, const char* file, int line) {
  if (code != cudaSuccess) {
    std::fprintf(stderr, "%s(%d): %s: %s\n", file, line, cudaGetErrorName(code), cudaGetErrorString(code));
    std::exit(2);
  }
}
#define CUDA_TRY(code) throw_on_error((code), __FILE__, __LINE__)

constexpr int kTile = 32;
constexpr int kRows = 8;  // rows of threads; each thread moves kTile / kRows elements

// A tile with one extra column, so that neither rows nor columns have bank conflicts.
template <typename T>
struct Tile {
  T cells[kTile][kTile + 1];

  __device__ T& at(int row, int column) { return cells[row][column]; }

  __device__ void load(const T* matrix, int rows, int columns, int first_row, int first_column) {
    const int column = first_column + threadIdx.x;
    for (int r = threadIdx.y; r < kTile; r += kRows) {
      if (first_row + r < rows && column < columns) at(r, threadIdx.x) = matrix[(first_row + r) * columns + column];
    }
  }

  // Writes the tile transposed, to a matrix of `rows` times `columns`.
  __device__ void store_transposed(T* matrix, int rows, int columns, int first_row, int first_column) {
    const int column = first_column + threadIdx.x;
    for (int r = threadIdx.y; r < kTile; r += kRows) {
      if (first_row + r < rows && column < columns) matrix[(first_row + r) * columns + column] = at(threadIdx.x, r);
    }
  }
};

template <typename T>
__global__ void transpose_plain(const T* __restrict__ in, T* __restrict__ out, int rows, int columns) {
  const int column = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row < rows && column < columns) out[column * rows + row] = in[row * columns + column];
}

template <typename T>
__global__ void transpose_tiles(const T* __restrict__ in, T* __restrict__ out, int rows, int columns) {
  __shared__ Tile<T> tile;
  const int row = blockIdx.y * kTile, column = blockIdx.x * kTile;
  tile.load(in, rows, columns, row, column);
#ifndef RACE
  __syncthreads();
#endif
  tile.store_transposed(out, columns, rows, column, row);
}

// Floats and whole tiles only: each thread moves four elements of a row at a time.
__global__ void transpose_vectors(const float* __restrict__ in, float* __restrict__ out, int rows, int columns) {
  __shared__ float tile[kTile][kTile + 4];
  const int row = blockIdx.y * kTile, column = blockIdx.x * kTile;
  const int t = threadIdx.y * blockDim.x + threadIdx.x;  // 0..255
  const int r = t / 8, quad = t % 8;
  *reinterpret_cast<float4*>(&tile[r][4 * quad]) =
      *reinterpret_cast<const float4*>(&in[(row + r) * columns + column + 4 * quad]);
  __syncthreads();
  float4 gathered;
  gathered.x = tile[4 * quad][r];
  gathered.y = tile[4 * quad + 1][r];
  gathered.z = tile[4 * quad + 2][r];
  gathered.w = tile[4 * quad + 3][r];
  *reinterpret_cast<float4*>(&out[(column + r) * rows + row + 4 * quad]) = gathered;
}

// Square matrices: the block at (i, j) swaps its tile with the one at (j, i).
template <typename T>
__global__ void transpose_in_place(T* matrix, int n) {
  if (blockIdx.x < blockIdx.y) return;
  __shared__ Tile<T> tiles[2];
  const int row = blockIdx.y * kTile, column = blockIdx.x * kTile;
  tiles[0].load(matrix, n, n, row, column);
  tiles[1].load(matrix, n, n, column, row);
  __syncthreads();
  tiles[0].store_transposed(matrix, n, n, column, row);
  if (blockIdx.x != blockIdx.y) tiles[1].store_transposed(matrix, n, n, row, column);
}

struct Free {
  void operator()(void* pointer) const { cudaFree(pointer); }
};
template <typename T>
using Device = std::unique_ptr<T[], Free>;

template <typename T>
Device<T> allocate(size_t size) {
  T* pointer = nullptr;
  CUDA_TRY(cudaMalloc(&pointer, size * sizeof(T)));
  return Device<T>(pointer);
}

template <typename T>
class Benchmark {
 public:
  Benchmark(int rows, int columns, int repetitions)
      : rows_(rows), columns_(columns), repetitions_(repetitions), in_(allocate<T>(size())), out_(allocate<T>(size())), host_(size()) {
    for (size_t i = 0; i < size(); ++i) host_[i] = static_cast<T>(i * 2654435761u % 1000003);
    CUDA_TRY(cudaEventCreate(&start_));
    CUDA_TRY(cudaEventCreate(&stop_));
  }
  ~Benchmark() {
    cudaEventDestroy(start_);
    cudaEventDestroy(stop_);
  }
  Benchmark(const Benchmark&) = delete;
  Benchmark& operator=(const Benchmark&) = delete;

  // Runs `transpose(in, out)`, which leaves its result in `out`, or in `in` if it works in place.
  void measure(const char* name, bool in_place, const std::function<void(T*, T*)>& transpose) {
    CUDA_TRY(cudaMemset(out_.get(), 0xff, bytes()));
    float best = 1e30f;
    for (int r = 0; r < repetitions_; ++r) {
      CUDA_TRY(cudaMemcpy(in_.get(), host_.data(), bytes(), cudaMemcpyHostToDevice));
      float milliseconds;
      CUDA_TRY(cudaEventRecord(start_));
      transpose(in_.get(), out_.get());
      CUDA_TRY(cudaGetLastError());
      CUDA_TRY(cudaEventRecord(stop_));
      CUDA_TRY(cudaEventSynchronize(stop_));
      CUDA_TRY(cudaEventElapsedTime(&milliseconds, start_, stop_));
      if (milliseconds < best) best = milliseconds;
    }
    std::vector<T> result(size());
    CUDA_TRY(cudaMemcpy(result.data(), in_place ? in_.get() : out_.get(), bytes(), cudaMemcpyDeviceToHost));
    bool right = true;
    for (int r = 0; r < rows_ && right; ++r) {
      for (int c = 0; c < columns_; ++c) {
        right = right && result[static_cast<size_t>(c) * rows_ + r] == host_[static_cast<size_t>(r) * columns_ + c];
      }
    }
    std::printf("%-10s %4d x %-4d %6.2f GB/s%s\n", name, rows_, columns_, 2e-6 * bytes() / best, right ? "" : "  WRONG");
    if (!right) ++wrong_;
  }

  int wrong() const { return wrong_; }

 private:
  size_t size() const { return static_cast<size_t>(rows_) * columns_; }
  size_t bytes() const { return size() * sizeof(T); }

  int rows_, columns_, repetitions_;
  Device<T> in_, out_;
  std::vector<T> host_;
  cudaEvent_t start_, stop_;
  int wrong_ = 0;
};

template <typename T>
int run(int rows, int columns, int repetitions) {
  Benchmark<T> benchmark(rows, columns, repetitions);
  const dim3 block(kTile, kRows);
  const dim3 grid((columns + kTile - 1) / kTile, (rows + kTile - 1) / kTile);
  benchmark.measure("plain", false, [=](T* in, T* out) {
    const dim3 small(16, 16);
    transpose_plain<<<dim3((columns + 15) / 16, (rows + 15) / 16), small>>>(in, out, rows, columns);
  });
  benchmark.measure("tiles", false, [=](T* in, T* out) { transpose_tiles<<<grid, block>>>(in, out, rows, columns); });
  if constexpr (std::is_same_v<T, float>) {
    if (rows % kTile == 0 && columns % kTile == 0) {
      benchmark.measure("vectors", false,
                        [=](T* in, T* out) { transpose_vectors<<<grid, block>>>(in, out, rows, columns); });
    }
  }
  if (rows == columns) {
    benchmark.measure("in place", true, [=](T* in, T*) { transpose_in_place<<<grid, block>>>(in, rows); });
  }
  return benchmark.wrong();
}

}  // namespace

int main(int argc, char** argv) {
  const int rows = argc > 1 ? std::atoi(argv[1]) : 160;
  const int columns = argc > 2 ? std::atoi(argv[2]) : 96;
  const int repetitions = argc > 3 ? std::atoi(argv[3]) : 2;
  if (rows < 4 || columns < 1 || repetitions < 1) {
    std::fprintf(stderr, "usage: matrix_transpose [rows, at least 4] [columns] [repetitions]\n");
    return 2;
  }
  int wrong = run<float>(rows, columns, repetitions);
  wrong += run<float>(rows - 3, rows - 3, repetitions);
  wrong += run<double>(columns, rows + 5, repetitions);
  wrong += run<unsigned char>(columns, columns, repetitions);
  if (wrong != 0) {
    std::printf("matrix_transpose: FAILED\n");
    return 1;
  }
  std::printf("matrix_transpose: OK\n");
  return 0;
}
