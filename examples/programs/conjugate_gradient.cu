// Conjugate gradients in one kernel: the whole solver runs on the device, with a grid-wide
// barrier between its steps.
//
//   conjugate_gradient [side of the grid] [seed]
//
// Solves the five-point Laplace equation, stored as a sparse matrix in compressed rows,
// for a right-hand side that belongs to a known solution.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <vector>

#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cuda_runtime.h>

namespace cg = cooperative_groups;

#define CHECK_CUDA(expression)                                                         \
  if (cudaError_t error = (expression); error != cudaSuccess) {                        \
    std::fprintf(stderr, "%s failed at line %d: %s (%s)\n", #expression, __LINE__,     \
                 cudaGetErrorName(error), cudaGetErrorString(error));                  \
    std::exit(2);                                                                      \
  }

struct Matrix {
  int rows;
  const int* row_begin;
  const int* column;
  const double* value;
};

struct Vectors {
  double* x;         // the solution so far
  double* residual;  // b - A x
  double* direction;
  double* image;  // A direction
};

// Numbers that all blocks need. Two sets of sums take turns, so that one can be cleared
// while the other is in use.
struct Progress {
  double direction_dot_image[2];
  double residual_norm[2];
  int iterations;
};

// Adds the products of two vectors to `*result`; `result` must be zero before the barrier
// that precedes the call, and is complete after the one that follows it.
__device__ void dot(const cg::grid_group& grid, const double* a, const double* b, int n, double* result) {
  extern __shared__ double s_sums[];
  const cg::thread_block block = cg::this_thread_block();
  const auto tile = cg::tiled_partition<32>(block);
  double sum = 0.0;
  for (int i = grid.thread_rank(); i < n; i += grid.size()) sum += a[i] * b[i];
  sum = cg::reduce(tile, sum, cg::plus<double>());
  block.sync();
  if (tile.thread_rank() == 0) s_sums[tile.meta_group_rank()] = sum;
  block.sync();
  if (block.thread_rank() == 0) {
    double total = 0.0;
    for (unsigned w = 0; w < tile.meta_group_size(); ++w) total += s_sums[w];
    atomicAdd(result, total);
  }
}

__device__ void multiply(const cg::grid_group& grid, const Matrix& a, const double* x, double* y) {
  for (int row = grid.thread_rank(); row < a.rows; row += grid.size()) {
    double sum = 0.0;
    for (int k = a.row_begin[row]; k < a.row_begin[row + 1]; ++k) sum += a.value[k] * x[a.column[k]];
    y[row] = sum;
  }
}

__global__ void solve(Matrix a, const double* b, Vectors v, Progress* progress, double tolerance, int limit) {
  const cg::grid_group grid = cg::this_grid();
  const int n = a.rows;
  for (int i = grid.thread_rank(); i < n; i += grid.size()) {
    v.x[i] = 0.0;
    v.residual[i] = b[i];
    v.direction[i] = b[i];
  }
  grid.sync();
  dot(grid, v.residual, v.residual, n, &progress->residual_norm[0]);
  grid.sync();

  double norm = progress->residual_norm[0];
  const double goal = tolerance * tolerance * norm;
  int iteration = 0;
  while (norm > goal && iteration < limit) {
    const int now = iteration % 2, next = 1 - now;
    multiply(grid, a, v.direction, v.image);
    if (grid.thread_rank() == 0) {
      progress->residual_norm[next] = 0.0;
      progress->direction_dot_image[next] = 0.0;
    }
    grid.sync();
    dot(grid, v.direction, v.image, n, &progress->direction_dot_image[now]);
    grid.sync();
    const double alpha = norm / progress->direction_dot_image[now];
    for (int i = grid.thread_rank(); i < n; i += grid.size()) {
      v.x[i] += alpha * v.direction[i];
      v.residual[i] -= alpha * v.image[i];
    }
    dot(grid, v.residual, v.residual, n, &progress->residual_norm[next]);
    grid.sync();
    const double new_norm = progress->residual_norm[next];
    const double beta = new_norm / norm;
    for (int i = grid.thread_rank(); i < n; i += grid.size()) v.direction[i] = v.residual[i] + beta * v.direction[i];
    norm = new_norm;
    ++iteration;
#ifndef RACE
    grid.sync();  // the next product reads the directions of all
#endif
  }
  if (grid.thread_rank() == 0) progress->iterations = iteration;
}

template <typename T>
static T* to_device(const std::vector<T>& host) {
  T* device = nullptr;
  CHECK_CUDA(cudaMalloc(&device, host.size() * sizeof(T)));
  CHECK_CUDA(cudaMemcpy(device, host.data(), host.size() * sizeof(T), cudaMemcpyHostToDevice));
  return device;
}

int main(int argc, char** argv) {
  const int side = argc > 1 ? std::atoi(argv[1]) : 20;
  const unsigned seed = argc > 2 ? std::atoi(argv[2]) : 1;
  if (side < 2) {
    std::fprintf(stderr, "usage: conjugate_gradient [side of the grid] [seed]\n");
    return 2;
  }
  int cooperative = 0;
  CHECK_CUDA(cudaDeviceGetAttribute(&cooperative, cudaDevAttrCooperativeLaunch, 0));
  if (!cooperative) {
    std::fprintf(stderr, "the device has no cooperative launches\n");
    return 2;
  }

  // The matrix, a solution, and their product.
  const int n = side * side;
  std::vector<int> row_begin{0}, column;
  std::vector<double> value;
  for (int row = 0; row < n; ++row) {
    const int i = row / side, j = row % side;
    auto add = [&](bool inside, int c, double v) {
      if (!inside) return;
      column.push_back(c);
      value.push_back(v);
    };
    add(i > 0, row - side, -1.0);
    add(j > 0, row - 1, -1.0);
    add(true, row, 4.0);
    add(j + 1 < side, row + 1, -1.0);
    add(i + 1 < side, row + side, -1.0);
    row_begin.push_back(static_cast<int>(column.size()));
  }
  std::mt19937 generator(seed);
  std::vector<double> solution(n), b(n, 0.0);
  for (double& x : solution) x = generator() / 4294967296.0 - 0.5;
  for (int row = 0; row < n; ++row) {
    for (int k = row_begin[row]; k < row_begin[row + 1]; ++k) b[row] += value[k] * solution[column[k]];
  }

  Matrix a{n, to_device(row_begin), to_device(column), to_device(value)};
  double* device_b = to_device(b);
  Vectors v{};
  for (double** vector : {&v.x, &v.residual, &v.direction, &v.image}) CHECK_CUDA(cudaMalloc(vector, n * sizeof(double)));
  Progress* progress = nullptr;
  CHECK_CUDA(cudaMalloc(&progress, sizeof(Progress)));
  CHECK_CUDA(cudaMemset(progress, 0, sizeof(Progress)));

  // As many blocks as can run at once, but no more than the work needs.
  const int threads = 64;
  const size_t shared = threads / 32 * sizeof(double);
  int per_multiprocessor = 0;
  CHECK_CUDA(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&per_multiprocessor, solve, threads, shared));
  cudaDeviceProp properties;
  CHECK_CUDA(cudaGetDeviceProperties(&properties, 0));
  int blocks = per_multiprocessor * properties.multiProcessorCount;
  if (blocks > (n + threads - 1) / threads) blocks = (n + threads - 1) / threads;

  double tolerance = 1e-10;
  int limit = 4 * n;
  void* arguments[] = {&a, &device_b, &v, &progress, &tolerance, &limit};
  cudaEvent_t start, stop;
  CHECK_CUDA(cudaEventCreate(&start));
  CHECK_CUDA(cudaEventCreate(&stop));
  CHECK_CUDA(cudaEventRecord(start));
  CHECK_CUDA(cudaLaunchCooperativeKernel((void*)solve, blocks, threads, arguments, shared, nullptr));
  CHECK_CUDA(cudaEventRecord(stop));
  CHECK_CUDA(cudaEventSynchronize(stop));
  float milliseconds = 0.0f;
  CHECK_CUDA(cudaEventElapsedTime(&milliseconds, start, stop));

  Progress result;
  std::vector<double> x(n);
  CHECK_CUDA(cudaMemcpy(&result, progress, sizeof result, cudaMemcpyDeviceToHost));
  CHECK_CUDA(cudaMemcpy(x.data(), v.x, n * sizeof(double), cudaMemcpyDeviceToHost));
  std::printf("%d unknowns, %d iterations, %.2f ms\n", n, result.iterations, milliseconds);
  double largest = 0.0;
  for (int i = 0; i < n; ++i) largest = std::fmax(largest, std::fabs(x[i] - solution[i]));

  for (const void* pointer : {(const void*)a.row_begin, (const void*)a.column, (const void*)a.value, (const void*)device_b,
                              (const void*)v.x, (const void*)v.residual, (const void*)v.direction, (const void*)v.image,
                              (const void*)progress}) {
    CHECK_CUDA(cudaFree(const_cast<void*>(pointer)));
  }
  CHECK_CUDA(cudaEventDestroy(start));
  CHECK_CUDA(cudaEventDestroy(stop));
  if (!(largest < 1e-7) || result.iterations >= limit) {
    std::printf("conjugate_gradient: FAILED, an error of %g\n", largest);
    return 1;
  }
  std::printf("conjugate_gradient: OK\n");
  return 0;
}
