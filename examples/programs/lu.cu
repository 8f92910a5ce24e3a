// Blocked LU decomposition in place, without pivoting, of a diagonally dominant matrix. A step
// decomposes the diagonal tile, then the tiles to its right and below it, then updates the rest.
//
//   lu [SIZE [SEED]]      SIZE is a multiple of 16
#include <cstdio>
#include <cstdlib>
#include <cmath>
#include <vector>

#include <cuda_runtime.h>

#define GUARD(call) guard((call), __FILE__, __LINE__)

static void guard(cudaError_t result, const char* file, int line) {
  if (result) {
    std::fprintf(stderr, "CUDA error at %s:%d: %s\n", file, line, cudaGetErrorString(result));
    std::exit(static_cast<int>(result));
  }
}

constexpr int T = 16;

// A square tile of a matrix stored by rows.
struct TileRef {
  double* origin;
  int pitch;
  __device__ TileRef(double* matrix, int n, int row, int column) : origin(matrix + row * T * n + column * T), pitch(n) {}
  __device__ double& operator()(int y, int x) const { return origin[y * pitch + x]; }
};

// One block of T threads, with a column of the tile for each.
__global__ void decompose_diagonal(double* matrix, int n, int step) {
  __shared__ double s[T][T + 1];
  const TileRef tile(matrix, n, step, step);
  const int x = threadIdx.x;
  for (int y = 0; y < T; ++y) s[y][x] = tile(y, x);
  __syncthreads();
  for (int k = 0; k < T - 1; ++k) {
    if (x > k) s[x][k] /= s[k][k];
#ifndef RACE
    __syncthreads();
#endif
    if (x > k) {
      for (int y = k + 1; y < T; ++y) s[y][x] -= s[y][k] * s[k][x];
    }
    __syncthreads();
  }
  for (int y = 0; y < T; ++y) tile(y, x) = s[y][x];
}

// Blocks 2i and 2i + 1 process the i-th tile to the right and the i-th below.
__global__ void decompose_border(double* matrix, int n, int step) {
  __shared__ double diagonal[T][T + 1];
  __shared__ double s[T][T + 1];
  const int other = step + 1 + blockIdx.x / 2;
  const bool below = blockIdx.x % 2;
  const TileRef from(matrix, n, step, step), tile(matrix, n, below ? other : step, below ? step : other);
  const int x = threadIdx.x;
  for (int y = 0; y < T; ++y) {
    diagonal[y][x] = from(y, x);
    s[y][x] = tile(y, x);
  }
  __syncthreads();
  if (below) {
    // A row of L for each thread: solves l * U = s.
    for (int k = 0; k < T; ++k) {
      for (int j = 0; j < k; ++j) s[x][k] -= s[x][j] * diagonal[j][k];
      s[x][k] /= diagonal[k][k];
    }
  } else {
    // A column of U for each thread: solves L * u = s.
    for (int k = 1; k < T; ++k)
      for (int j = 0; j < k; ++j) s[k][x] -= diagonal[k][j] * s[j][x];
  }
  __syncthreads();
  for (int y = 0; y < T; ++y) tile(y, x) = s[y][x];
}

__global__ void update_inner(double* matrix, int n, int step) {
  __shared__ double left[T][T], up[T][T];
  const int row = step + 1 + blockIdx.y, column = step + 1 + blockIdx.x;
  const TileRef tile(matrix, n, row, column);
  const int x = threadIdx.x, y = threadIdx.y;
  left[y][x] = TileRef(matrix, n, row, step)(y, x);
  up[y][x] = TileRef(matrix, n, step, column)(y, x);
  __syncthreads();
  double sum = 0;
#pragma unroll
  for (int k = 0; k < T; ++k) sum += left[y][k] * up[k][x];
  tile(y, x) -= sum;
}

int main(int argc, char** argv) {
  const int n = argc > 1 ? std::atoi(argv[1]) : 96;
  std::srand(argc > 2 ? std::atoi(argv[2]) : 1);
  if (n <= 0 || n % T != 0) {
    std::fprintf(stderr, "the size must be a multiple of %d\n", T);
    return 2;
  }
  std::vector<double> a(n * n);
  for (double& value : a) value = std::rand() / double(RAND_MAX) - 0.5;
  for (int i = 0; i < n; ++i) a[i * n + i] += n;

  double* device;
  const size_t bytes = a.size() * sizeof(double);
  GUARD(cudaMalloc(&device, bytes));
  GUARD(cudaMemcpy(device, a.data(), bytes, cudaMemcpyHostToDevice));
  const int tiles = n / T;
  for (int step = 0; step < tiles; ++step) {
    const int rest = tiles - step - 1;
    decompose_diagonal<<<1, T>>>(device, n, step);
    if (rest > 0) {
      decompose_border<<<2 * rest, T>>>(device, n, step);
      update_inner<<<dim3(rest, rest), dim3(T, T)>>>(device, n, step);
    }
    GUARD(cudaGetLastError());
  }
  GUARD(cudaDeviceSynchronize());
  std::vector<double> lu(a.size());
  GUARD(cudaMemcpy(lu.data(), device, bytes, cudaMemcpyDeviceToHost));
  GUARD(cudaFree(device));

  // The textbook decomposition, and the product.
  double worst = 0;
  std::vector<double> book = a;
  for (int k = 0; k < n; ++k)
    for (int y = k + 1; y < n; ++y) {
      book[y * n + k] /= book[k * n + k];
      for (int x = k + 1; x < n; ++x) book[y * n + x] -= book[y * n + k] * book[k * n + x];
    }
  for (int y = 0; y < n; ++y)
    for (int x = 0; x < n; ++x) {
      double product = 0;
      for (int k = 0; k <= std::min(x, y); ++k) product += (k == y ? 1.0 : lu[y * n + k]) * lu[k * n + x];
      worst = std::fmax(worst, std::fabs(product - a[y * n + x]));
      worst = std::fmax(worst, std::fabs(book[y * n + x] - lu[y * n + x]));
    }
  if (!(worst < 1e-9)) {
    std::printf("lu: off by %g, FAILED\n", worst);
    return 1;
  }
  std::printf("lu: %d x %d, passed\n", n, n);
  return 0;
}
