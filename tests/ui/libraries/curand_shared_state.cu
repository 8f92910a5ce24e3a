// verdict: race
// race: lines 19 and 19, variable state, global
// repaired: clean
// Monte Carlo: the threads of a block draw from one generator, which belongs to the block. Each draw reads
// and writes its state.
// Repaired: each thread has a state of its own.
#include <cstdio>
#include <curand_kernel.h>

__global__ void seed(curandState *states) {
  const int t = blockIdx.x * blockDim.x + threadIdx.x;
  curand_init(2024, t, 0, &states[t]);
}

__global__ void count_hits(curandState *states, int *hits, int draws) {
#ifndef REPAIRED
  curandState *state = &states[blockIdx.x];
  int inside = 0;
  for (int i = 0; i < draws; ++i) inside += curand_uniform(state) < 0.25f;
#else
  const int t = blockIdx.x * blockDim.x + threadIdx.x;
  curandState state = states[t];
  int inside = 0;
  for (int i = 0; i < draws; ++i) inside += curand_uniform(&state) < 0.25f;
  states[t] = state;
#endif
  atomicAdd(hits, inside);
}

int main() {
  const int blocks = 2, threads = 64, draws = 100;
  curandState *states;
  int *hits, found = 0;
  cudaMalloc(&states, blocks * threads * sizeof(curandState));
  cudaMalloc(&hits, sizeof(int));
  cudaMemset(hits, 0, sizeof(int));
  seed<<<blocks, threads>>>(states);
  count_hits<<<blocks, threads>>>(states, hits, draws);
  cudaMemcpy(&found, hits, sizeof(int), cudaMemcpyDeviceToHost);
  const double share = double(found) / (blocks * threads * draws);
  std::printf("%.3f\n", share);
  cudaFree(states);
  cudaFree(hits);
#ifdef REPAIRED
  if (share < 0.23 || share > 0.27) return 1;
#endif
  return 0;
}
