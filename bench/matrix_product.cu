// With barriers: tiled matrix product, 256 x 256, tiles of 16 x 16.
#include "timing.h"

constexpr int tile = 16;
constexpr int size = 256;

__global__ void matrix_product(const float* a, const float* b, float* c) {
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

int main() {
  const std::vector<float> host(size * size, 1.0f);
  float *a, *b, *c;
  for (float** p : {&a, &b, &c}) {
    cudaMalloc(p, size * size * sizeof(float));
    cudaMemcpy(*p, host.data(), size * size * sizeof(float), cudaMemcpyHostToDevice);
  }
  print_median_time(5, [&] { matrix_product<<<dim3(size / tile, size / tile), dim3(tile, tile)>>>(a, b, c); });
  float corner = 0;
  cudaMemcpy(&corner, c, sizeof corner, cudaMemcpyDeviceToHost);
  return corner == size ? 0 : 1;
}
