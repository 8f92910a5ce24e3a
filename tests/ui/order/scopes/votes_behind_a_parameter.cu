// verdict: race
// repaired: clean
// race: lines 20 and 20, variable votes, global
//
// Blocks count votes in an atomic object of block scope, whose type is written where it is a parameter and where the host
// allocates it.
// Repaired: the scope is that of the device.
#include <cuda/atomic>

#ifdef REPAIRED
#define thread_scope_block thread_scope_device
#endif

struct Ballot {
  bool yes;
};

__global__ void count(const Ballot* ballots, cuda::atomic<int, cuda::thread_scope_block>* votes) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (ballots[i].yes) votes->fetch_add(1, cuda::memory_order_relaxed);
}

int main() {
  constexpr int n = 192;
  static Ballot h[n];
  for (int i = 0; i < n; ++i) h[i].yes = i % 3 == 0;
  Ballot* ballots;
  cuda::atomic<int, cuda::thread_scope_block>* votes;
  cudaMalloc(&ballots, sizeof h);
  cudaMalloc(&votes, sizeof *votes);
  cudaMemcpy(ballots, h, sizeof h, cudaMemcpyHostToDevice);
  cudaMemset(votes, 0, sizeof *votes);
  count<<<3, 64>>>(ballots, votes);
  cudaDeviceSynchronize();
}
