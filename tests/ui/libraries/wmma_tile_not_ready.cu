// verdict: race
// race: lines 20 and 27, variable tile, shared
// repaired: clean
// A matrix product on tensor cores: the threads of a block copy a tile into shared memory together, and each
// warp loads fragments of it without waiting for the others.
// Repaired: a barrier before the fragments are loaded.
#include <cstdio>
#include <mma.h>

using namespace nvcuda;

const int size = 32;

__global__ void multiply(const half *a, const half *b, float *c) {
  __shared__ half tile[16 * size];
  const int warp = threadIdx.x / 32;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum;
  wmma::fill_fragment(sum, 0.0f);
  for (int i = threadIdx.x; i < 16 * size; i += blockDim.x) {
    tile[i] = a[blockIdx.x * 16 * size + i];
  }
#ifdef REPAIRED
  __syncthreads();
#endif
  for (int k = 0; k < size; k += 16) {
    wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> left;
    wmma::load_matrix_sync(left, tile + k, size);
    wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::col_major> right;
    wmma::load_matrix_sync(right, b + warp * 16 * size + k, size);
    wmma::mma_sync(sum, left, right, sum);
  }
  wmma::store_matrix_sync(c + blockIdx.x * 16 * size + warp * 16, sum, size, wmma::mem_row_major);
}

int main() {
  static half a[size * size], b[size * size];
  static float c[size * size];
  for (int i = 0; i < size * size; ++i) {
    a[i] = __float2half(float(i % 5));
    b[i] = __float2half(float(i % 3));
  }
  half *da, *db;
  float *dc;
  cudaMalloc(&da, sizeof a);
  cudaMalloc(&db, sizeof b);
  cudaMalloc(&dc, sizeof c);
  cudaMemcpy(da, a, sizeof a, cudaMemcpyHostToDevice);
  cudaMemcpy(db, b, sizeof b, cudaMemcpyHostToDevice);
  multiply<<<size / 16, 64>>>(da, db, dc);
  cudaMemcpy(c, dc, sizeof c, cudaMemcpyDeviceToHost);
  int wrong = 0;
  for (int row = 0; row < size; ++row) {
    for (int column = 0; column < size; ++column) {
      float sum = 0;
      for (int k = 0; k < size; ++k) sum += float((row * size + k) % 5) * float((column * size + k) % 3);
      wrong += c[row * size + column] != sum;
    }
  }
  std::printf("%d\n", wrong);
  cudaFree(da);
  cudaFree(db);
  cudaFree(dc);
#ifdef REPAIRED
  return wrong != 0;
#endif
  return 0;
}
