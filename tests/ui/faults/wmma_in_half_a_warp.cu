// verdict: fault
// fault: HF004, line 22
// Half of a warp multiplies matrices. All lanes of a warp must call the functions of nvcuda::wmma together.
#include <cstdio>
#include <mma.h>

using namespace nvcuda;

__global__ void square(const half *a, float *c) {
  wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> left;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::row_major> right;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> product;
  wmma::fill_fragment(product, 0.0f);
  wmma::load_matrix_sync(left, a, 16);
  wmma::load_matrix_sync(right, a, 16);
  if (threadIdx.x >= 16) {
    c[threadIdx.x] = 0;
    return;
  }
  // As if 16 lanes sufficed for 16 rows.

  wmma::mma_sync(product, left, right, product);
  c[threadIdx.x] = product.x[0];
}

int main() {
  half *a;
  float *c;
  cudaMalloc(&a, 256 * sizeof(half));
  cudaMalloc(&c, 32 * sizeof(float));
  cudaMemset(a, 0, 256 * sizeof(half));
  square<<<1, 32>>>(a, c);
  cudaDeviceSynchronize();
  cudaFree(a);
  cudaFree(c);
}
