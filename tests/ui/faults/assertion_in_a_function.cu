// verdict: fault
// fault: HF005, line 13, thread 31
// repaired: clean
//
// An assertion in a device function fails, at the end of two calls. Another call of the function is earlier
// in the source.
#include <cassert>

__device__ void verify(int value) {
#ifdef REPAIRED
  value %= 31;
#endif
  assert(value < 31);
}

template <int Step>
__device__ int scaled(int value) {
  verify(value);
  return value * Step;
}

__global__ void check(int* data) {
  verify(threadIdx.x / 2);
  data[threadIdx.x] = scaled<2>(threadIdx.x);
}

int main() {
  int* data;
  cudaMalloc(&data, 32 * sizeof(int));
  check<<<1, 32>>>(data);
  return cudaDeviceSynchronize();
}
