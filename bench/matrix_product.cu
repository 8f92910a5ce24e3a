// With barriers and much reuse: tiled product of square matrices, tiles of 16 x 16.
#include "timing.h"

constexpr int tile = 16;

extern "C" __global__ void matrix_product(const float* a, const float* b, float* c, int size) {
  __shared__ float a_tile[tile][tile];
  __shared__ float b_tile[tile][tile];
  const int x = threadIdx.x, y = threadIdx.y;
  const int column = blockIdx.x * tile + x, row = blockIdx.y * tile + y;
  float sum = 0;
  for (int t = 0; t < size; t += tile) {
    a_tile[y][x] = a[row * size + t + x];
    b_tile[y][x] = b[(t + y) * size + column];
    __syncthreads();
    for (int k = 0; k < tile; ++k) sum += a_tile[y][k] * b_tile[k][x];
    __syncthreads();
  }
  c[row * size + column] = sum;
}

void sequential(const float* a, const float* b, float* c, int size) {
  for (int row = 0; row < size; ++row) {
    for (int column = 0; column < size; ++column) {
      float sum = 0;
      for (int k = 0; k < size; ++k) sum += a[row * size + k] * b[k * size + column];
      c[row * size + column] = sum;
    }
  }
}

int main(int argc, char** argv) {
  const int size = requested_size(argc, argv, 256);
  const std::vector<float> a(size * size, 1.0f), b(size * size, 2.0f);
  std::vector<float> c(size * size);
  float* const device_a = to_device(a);
  float* const device_b = to_device(b);
  float* const device_c = to_device(c);
  const dim3 grid(size / tile, size / tile);
  print_resources(matrix_product, tile * tile);
  print_median_time([&] {
#ifdef BENCH_PTX
    launch_from_file("matrix_product", grid, dim3(tile, tile), device_a, device_b, device_c, size);
#else
    matrix_product<<<grid, dim3(tile, tile)>>>(device_a, device_b, device_c, size);
#endif
  });
  print_sequential_time([&] { sequential(a.data(), b.data(), c.data(), size); });
  return compare(device_c, c);
}
