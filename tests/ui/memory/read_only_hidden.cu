// verdict: race
// race: lines 9 and 10, variable table, global
// race: lines 16 and 17, variable in, global
// Types that hide that a pointer leads to an array.
#include <cuda_runtime.h>

// A table of pointers without a type.
__global__ void through_void(const int* in, const void* table) {
  const int mine = in[threadIdx.x];
  (*static_cast<int* const*>(table))[(threadIdx.x + 1) % blockDim.x] = mine;
}

// A cast to a name.
typedef int* Ints;
__global__ void through_name(const int* in) {
  const int mine = in[threadIdx.x];
  ((Ints)in)[(threadIdx.x + 1) % blockDim.x] = mine;
}

int main() {
  constexpr int n = 256;
  int *a, **table;
  cudaMalloc(&a, n * sizeof(int));
  cudaMalloc(&table, sizeof(int*));
  cudaMemset(a, 0, n * sizeof(int));
  cudaMemcpy(table, &a, sizeof(int*), cudaMemcpyHostToDevice);
  through_void<<<1, n>>>(a, table);
  through_name<<<1, n>>>(a);
  return cudaDeviceSynchronize();
}
