// verdict: race
// race: lines 16 and 17, variable out, global
// race: lines 22 and 23, variable target, global
// race: lines 31 and 32, variable arrays, global
// race: lines 36 and 37, variable table, global
// race: lines 43 and 44, variable x, global
// race: lines 50 and 51, variable y, global
// race: lines 56 and 57, variable end, global
// race: lines 60 and 61, variable out, global
// Pointers to constants, and the same memory written in other ways.
#include <cuda_runtime.h>

// Both parameters lead to one allocation.
template <class T>
__global__ void shifted(const T* in, T* out, int n) {
  const T both = in[threadIdx.x];
  out[(threadIdx.x + 1) % n] = both + 1;
}

__device__ int* target;
__global__ void through_variable(const int* in, int n) {
  const int mine = in[threadIdx.x];
  target[(threadIdx.x + 1) % n] = mine;
}

struct Arrays {
  int* out;
  int n;
};
__global__ void through_object(const int* in, Arrays arrays) {
  const int mine = in[threadIdx.x];
  arrays.out[(threadIdx.x + 1) % arrays.n] = mine;
}

__global__ void through_table(const int* in, int* const* table, int n) {
  const int mine = in[threadIdx.x];
  table[0][(threadIdx.x + 1) % n] = mine;
}

// One launch only reads the array; the next one writes it as well.
__global__ void total(const int* x, int* sum) { atomicAdd(sum, x[threadIdx.x]); }
__global__ void rotate_left(int* x, int n) {
  const int next = x[(threadIdx.x + 1) % n];
  x[threadIdx.x] = next;
}
// A name with two kernels, and one of them with a pack.
__global__ void rotate_left(const int* x, int* y, int n) { y[threadIdx.x] = x[(threadIdx.x + 1) % n]; }
template <class... More>
__global__ void rotate_right(int n, int* y, const More*... more) {
  const int before = y[(threadIdx.x + n - 1) % n] + (more[threadIdx.x] + ...);
  y[threadIdx.x] = before;
}

// Arrays that are written from their end, and counted from 1.
__global__ void backwards(const int* in, int* end, int n) {
  const int mine = in[threadIdx.x];
  end[-1 - static_cast<int>((threadIdx.x + 1) % n)] = mine;
}
__global__ void from_one(const int* in, int* out, int n) {
  const int mine = in[1 + threadIdx.x];
  out[1 + (threadIdx.x + 2) % n] = mine;
}

int main() {
  constexpr int n = 256;
  int *a, *b, *sum, **table;
  cudaMalloc(&a, 2 * n * sizeof(int));
  cudaMalloc(&b, n * sizeof(int));
  cudaMalloc(&sum, sizeof(int));
  cudaMalloc(&table, sizeof(int*));
  cudaMemset(a, 0, 2 * n * sizeof(int));
  cudaMemset(b, 0, n * sizeof(int));
  cudaMemset(sum, 0, sizeof(int));
  cudaMemcpy(table, &a, sizeof(int*), cudaMemcpyHostToDevice);

  shifted<<<1, n>>>(a, a + 0, n);
  through_object<<<1, n>>>(a, Arrays{a, n});
  through_table<<<1, n>>>(a, table, n);
  for (int i = 0; i < 2; ++i) {
    total<<<1, n>>>(a, sum);
    rotate_left<<<1, n>>>(a, n);
    rotate_left<<<1, n>>>(a, b, n);
    rotate_right<<<1, n>>>(n, b, a, a + n);
  }
  backwards<<<1, n>>>(b, b + n, n);
  from_one<<<1, n - 1>>>(b, b - 1, n - 1);
  // From here on a variable leads to the array.
  cudaMemcpyToSymbol(target, &a, sizeof(int*));
  through_variable<<<1, n>>>(a, n);
  return cudaDeviceSynchronize();
}
