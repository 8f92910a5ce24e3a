// verdict: race
// race: lines 17 and 30, variable flag, global
// race: lines 15 and 32, variable result, global
// repaired: clean
// The host waits for a kernel by a cuda::atomic_ref of system scope, and then copies the result, twelve bytes. The
// kernel releases the flag at device scope, which excludes the host: the flag itself races, and orders nothing.
// Repaired: the kernel stores at the scope of the system.
#include <cuda/atomic>
#include <cstdio>
#include <cstring>

struct Point { float x, y, z; };

__global__ void locate(Point* result, int* flag) {
  result[0].x = 3;
#ifndef REPAIRED
  cuda::atomic_ref<int, cuda::thread_scope_device>(*flag).store(1, cuda::memory_order_release);
#else
  cuda::atomic_ref<int, cuda::thread_scope_system>(*flag).store(1, cuda::memory_order_release);
#endif
}

int main() {
  Point* result;
  int* flag;
  cudaHostAlloc(&result, sizeof(Point), cudaHostAllocMapped);
  cudaHostAlloc(&flag, sizeof(int), cudaHostAllocMapped);
  *flag = 0;
  locate<<<1, 1>>>(result, flag);
  while (cuda::atomic_ref<int, cuda::thread_scope_system>(*flag).load(cuda::memory_order_acquire) == 0) {}
  Point here;
  std::memcpy(&here, result, sizeof here);
  std::printf("%f\n", here.x);
  cudaDeviceSynchronize();
}
