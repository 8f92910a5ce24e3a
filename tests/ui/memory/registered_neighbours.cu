// verdict: race
// race: lines 12 and 16, variable cells, global
// repaired: clean
// The threads of a block write cells in registered memory of the host and read those of their neighbours.
// Repaired: with a barrier in between.
#include <cstdio>
#include <vector>

constexpr int n = 128;

__global__ void shift(short* cells, short* out) {
  cells[threadIdx.x] = threadIdx.x;
#ifdef REPAIRED
  __syncthreads();
#endif
  out[threadIdx.x] = cells[(threadIdx.x + n - 32) % n];
}

int main() {
  std::vector<short> cells(n);
  cudaHostRegister(cells.data(), n * sizeof(short), cudaHostRegisterMapped);
  short *device, *out;
  cudaHostGetDevicePointer(reinterpret_cast<void**>(&device), cells.data(), 0);
  cudaMalloc(&out, n * sizeof(short));
  shift<<<1, n>>>(device, out);
  short result[n];
  cudaMemcpy(result, out, sizeof result, cudaMemcpyDeviceToHost);
  cudaHostUnregister(cells.data());
  std::printf("%d\n", result[100]);
  cudaFree(out);
#ifdef REPAIRED
  return result[100] == 68 ? 0 : 1;
#endif
}
