// verdict: race
// race: lines 25 and 30, variable result, shared
// repaired: clean
// A warp stores a product to shared memory, and its lanes read elements that other lanes have stored. That the
// lanes store together orders nothing.
// Repaired: `__syncwarp()` after the store.
#include <cstdio>
#include <mma.h>

using namespace nvcuda;

__global__ void row_sums(const signed char *a, const signed char *b, int *sums) {
  __shared__ int results[2][16 * 20];
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  int *result = results[warp];
  wmma::fragment<wmma::matrix_a, 16, 16, 16, signed char, wmma::row_major> left;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, signed char, wmma::row_major> right;
  wmma::fragment<wmma::accumulator, 16, 16, 16, int> product;
  wmma::fill_fragment(product, 0);
  wmma::load_matrix_sync(left, a + warp * 256, 16);
  wmma::load_matrix_sync(right, b, 16);
  wmma::mma_sync(product, left, right, product);
  for (int i = 0; i < product.num_elements; ++i) product.x[i] *= 2;

  wmma::store_matrix_sync(result, product, 20, wmma::mem_row_major);
#ifdef REPAIRED
  __syncwarp();
#endif
  int sum = 0;
  for (int i = 0; i < 16; ++i) sum += result[lane % 16 * 20 + i];
  if (lane < 16) sums[warp * 16 + lane] = sum;
}

int main() {
  signed char *a, *b;
  int *sums;
  cudaMallocManaged(&a, 512);
  cudaMallocManaged(&b, 256);
  cudaMallocManaged(&sums, 32 * sizeof(int));
  for (int i = 0; i < 512; ++i) a[i] = (signed char)(i % 7 - 3);
  for (int i = 0; i < 256; ++i) b[i] = (signed char)(i % 5 - 2);
  row_sums<<<1, 64>>>(a, b, sums);
  cudaDeviceSynchronize();
  int wrong = 0;
  for (int row = 0; row < 32; ++row) {
    int sum = 0;
    for (int k = 0; k < 16; ++k) {
      for (int column = 0; column < 16; ++column) sum += 2 * (a[row * 16 + k] * b[k * 16 + column]);
    }
    wrong += sums[row] != sum;
  }
  std::printf("%d\n", wrong);
  cudaFree(a);
  cudaFree(b);
  cudaFree(sums);
#ifdef REPAIRED
  return wrong != 0;
#endif
  return 0;
}
