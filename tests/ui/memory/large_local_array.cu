// verdict: race
// race: lines 21 and 25, variable rank, global
// repaired: clean
// Each thread looks for the largest number in a local array of 400 KB, nearly as much as a GPU allows,
// and writes its place. Then it reads that of its neighbour.
// Repaired: a barrier comes between.
#include <cstdio>

constexpr int length = 100000;

__global__ void largest(const unsigned* seed, int* rank, int* next) {
  unsigned row[length];
  unsigned state = seed[threadIdx.x];
  for (int i = 0; i < length; ++i) {
    state = state * 1664525u + 1013904223u;
    row[i] = state >> 8;
  }
  int best = 0;
  for (int i = 1; i < length; ++i)
    if (row[i] > row[best]) best = i;
  rank[threadIdx.x] = best;
#ifdef REPAIRED
  __syncthreads();
#endif
  next[threadIdx.x] = rank[(threadIdx.x + 1) % blockDim.x];
}

int main() {
  const int threads = 40;
  unsigned* seed;
  int *rank, *next, results[threads];
  cudaMalloc(&seed, threads * sizeof(unsigned));
  cudaMalloc(&rank, threads * sizeof(int));
  cudaMalloc(&next, threads * sizeof(int));
  cudaMemset(rank, 0, threads * sizeof(int));
  cudaMemset(seed, 1, threads * sizeof(unsigned));
  largest<<<1, threads>>>(seed, rank, next);
  cudaMemcpy(results, next, sizeof results, cudaMemcpyDeviceToHost);
#ifdef REPAIRED
  // All rows are equal.
  for (int it : results)
    if (it != results[0]) return 1;
#endif
  std::printf("the largest is number %d\n", results[0]);
}
