// verdict: race
// race: lines 13 and 28, variable progress, global
// repaired: clean
// Blocks count themselves in mapped memory while the host watches the counter. Both sides use atomic operations, but
// those of the kernel have the scope of the device, which the host is not in.
// Repaired: the kernel counts at the scope of the system.
#include <atomic>
#include <cstdio>

__global__ void work(int* progress, int* out) {
  out[blockIdx.x] = blockIdx.x;
#ifndef REPAIRED
  atomicAdd(progress, 1);
#else
  atomicAdd_system(progress, 1);
#endif
}

int main() {
  int *progress, *out;
  cudaHostAlloc(&progress, sizeof(int), cudaHostAllocMapped);
  cudaMalloc(&out, 8 * sizeof(int));
  *progress = 0;
  auto* const counter = reinterpret_cast<std::atomic<int>*>(progress);
  work<<<8, 1>>>(progress, out);
  int seen = 0;
  while (seen < 8) {
    seen = counter->load();
  }
  std::printf("%d\n", seen);
  cudaDeviceSynchronize();
  return 0;
}
