// verdict: race
// race: lines 8 and 14, variable keys, global
// repaired: clean
// Two streams use a table of keys: one reads them, and one tries to claim those that are free.
// Repaired: no key is free, so that the other one only reads, too.
#include <cstdio>

__global__ void copy(const unsigned* keys, unsigned* out) { out[threadIdx.x] = keys[threadIdx.x]; }

constexpr unsigned free_key = ~0u;

__global__ void claim(unsigned* keys, unsigned* before, unsigned mine) {
  const unsigned i = threadIdx.x;
  before[i] = atomicCAS(&keys[i], free_key, mine + i);
}

int main() {
  const int count = 64;
  unsigned host[count], *keys, *out, *before;
  cudaMalloc(&keys, sizeof host);
  cudaMalloc(&out, sizeof host);
  cudaMalloc(&before, sizeof host);
#ifdef REPAIRED
  for (unsigned& it : host) it = 7;
#else
  for (int i = 0; i < count; ++i) host[i] = i % 8 == 0 ? free_key : 7;
#endif
  cudaMemcpy(keys, host, sizeof host, cudaMemcpyHostToDevice);
  cudaStream_t one, other;
  cudaStreamCreate(&one);
  cudaStreamCreate(&other);
  copy<<<1, count, 0, one>>>(keys, out);
  claim<<<1, count, 0, other>>>(keys, before, 100);
  cudaDeviceSynchronize();
  cudaMemcpy(host, before, sizeof host, cudaMemcpyDeviceToHost);
  std::printf("%u\n", host[1]);
}
