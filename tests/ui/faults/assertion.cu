// verdict: fault
// fault: HF005, line 11, thread 5
// repaired: clean
// An assertion that one thread fails.
#include <cassert>

__global__ void check(const int* data) {
#ifdef REPAIRED
  assert(data[0] == 0 || threadIdx.x < 5);
#else
  assert(data[0] == 1 || threadIdx.x < 5);
#endif
}

int main() {
  int* data;
  cudaMalloc(&data, sizeof(int));
  cudaMemset(data, 0, sizeof(int));
  check<<<1, 32>>>(data);
  return cudaDeviceSynchronize();
}
