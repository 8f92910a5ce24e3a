// verdict: race
// race: lines 18 and 19, variable out, global
// race: lines 24 and 25, variable target, global
// race: lines 33 and 34, variable arrays, global
// race: lines 38 and 39, variable table, global
// race: lines 45 and 49, variable x, global
// race: lines 55 and 59, variable y, global
// race: lines 64 and 68, variable end, global
// race: lines 71 and 75, variable out, global
// repaired: clean
// Pointers to constants, and the same memory written in other ways.
// Repaired: the memory that is written is outside the arrays, or a barrier orders the two.
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
#ifdef REPAIRED
  __syncthreads();
#endif
  x[threadIdx.x] = next;
}
// A name with two kernels, and one of them with a pack.
__global__ void rotate_left(const int* x, int* y, int n) { y[threadIdx.x] = x[(threadIdx.x + 1) % n]; }
template <class... More>
__global__ void rotate_right(int n, int* y, const More*... more) {
  const int before = y[(threadIdx.x + n - 1) % n] + (more[threadIdx.x] + ...);
#ifdef REPAIRED
  __syncthreads();
#endif
  y[threadIdx.x] = before;
}

// Arrays that are written from their end, and counted from 1.
__global__ void backwards(const int* in, int* end, int n) {
  const int mine = in[threadIdx.x];
#ifdef REPAIRED
  __syncthreads();
#endif
  end[-1 - static_cast<int>((threadIdx.x + 1) % n)] = mine;
}
__global__ void from_one(const int* in, int* out, int n) {
  const int mine = in[1 + threadIdx.x];
#ifdef REPAIRED
  __syncthreads();
#endif
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
#ifdef REPAIRED
  int* const second = a + n;
  cudaMemcpy(table, &second, sizeof(int*), cudaMemcpyHostToDevice);

  shifted<<<1, n>>>(a, a + n, n);
  through_object<<<1, n>>>(a, Arrays{a + n, n});
#else
  cudaMemcpy(table, &a, sizeof(int*), cudaMemcpyHostToDevice);

  shifted<<<1, n>>>(a, a + 0, n);
  through_object<<<1, n>>>(a, Arrays{a, n});
#endif
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
#ifdef REPAIRED
  cudaMemcpyToSymbol(target, &second, sizeof(int*));
#else
  cudaMemcpyToSymbol(target, &a, sizeof(int*));
#endif
  through_variable<<<1, n>>>(a, n);
  return cudaDeviceSynchronize();
}
