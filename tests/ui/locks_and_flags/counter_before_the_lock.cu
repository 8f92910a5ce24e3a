// verdict: race
// race: lines 25 and 25, variable used, global
// repaired: clean
// Threads push nodes to lists, each of which has a lock. The number of the node is drawn before the lock is taken: the
// locks do not protect the counter, and were not meant to.
#include <cstdio>

constexpr int lists = 8, threads = 64, blocks = 4;

__device__ void lock(int* owner) {
  while (atomicCAS(owner, 0, 1) != 0) {
  }
  __threadfence();
}

__device__ void unlock(int* owner) {
  __threadfence();
  atomicExch(owner, 0);
}

__global__ void push(int* heads, int* next, int* owners, int* used) {
#ifdef REPAIRED
  const int node = atomicAdd(used, 1);
#else
  const int node = (*used)++;
#endif
  const int list = threadIdx.x % lists;
  lock(&owners[list]);
  next[node] = heads[list];
  heads[list] = node;
  unlock(&owners[list]);
}

int main() {
  int *heads, *next, *owners, *used;
  cudaMalloc(&heads, lists * sizeof(int));
  cudaMalloc(&next, threads * blocks * sizeof(int));
  cudaMalloc(&owners, lists * sizeof(int));
  cudaMalloc(&used, sizeof(int));
  cudaMemset(heads, 0xff, lists * sizeof(int));
  cudaMemset(owners, 0, lists * sizeof(int));
  cudaMemset(used, 0, sizeof(int));
  push<<<blocks, threads>>>(heads, next, owners, used);
  cudaDeviceSynchronize();
}
