// verdict: race
// repaired: clean
// race: lines 12 and 12, variable counts, global
//
// A histogram in memory that is allocated in the order of a stream: the report says where.
// Repaired: the update is atomic.
__global__ void histogram(const int* keys, int* counts) {
  const int key = keys[blockIdx.x * blockDim.x + threadIdx.x];
#ifdef REPAIRED
  atomicAdd(&counts[key], 1);
#else
  counts[key] += 1;
#endif
}

int main() {
  constexpr int n = 128, bins = 8;
  int h[n];
  for (int i = 0; i < n; ++i) h[i] = i % bins;
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  int *keys, *counts;
  cudaMallocAsync(&keys, sizeof h, stream);
  cudaMallocAsync(&counts, bins * sizeof(int), stream);
  cudaMemcpyAsync(keys, h, sizeof h, cudaMemcpyHostToDevice, stream);
  cudaMemsetAsync(counts, 0, bins * sizeof(int), stream);
  histogram<<<2, n / 2, 0, stream>>>(keys, counts);
  cudaFreeAsync(keys, stream);
  cudaFreeAsync(counts, stream);
  cudaStreamSynchronize(stream);
  cudaStreamDestroy(stream);
}
