// verdict: race
// race: lines 14 and 22, variable p, shared
// race: lines 27 and 27, variable totals, global
// repaired: clean
//
// A device function gets a tile as a pointer; the report names the tile and the element. The totals of a
// device array are plain sums.
// Repaired: a barrier before the function writes, and atomic sums.
#include <cstdio>

__device__ int totals[2][3];

__device__ void mirror(int* p, int i) {
  p[i] = i;
}

__global__ void sums(int* out) {
  __shared__ int tile[4][16];
  int t = threadIdx.x;
  tile[t / 16][t % 16] = t;
  __syncthreads();
  int seen = tile[3 - t / 16][15 - t % 16];
#ifdef REPAIRED
  __syncthreads();
  atomicAdd(&totals[1][2], seen);
#else
  totals[1][2] += seen;
#endif
  mirror(&tile[0][0], t);
  out[t] = seen;
}

int main() {
  int* out;
  cudaMalloc(&out, 64 * sizeof(int));
  sums<<<1, 64>>>(out);
  int all[2][3];
  cudaMemcpyFromSymbol(all, totals, sizeof all);
  cudaFree(out);
#ifdef REPAIRED
  if (all[1][2] != 64 * 63 / 2) return 1;
#endif
  return 0;
}
