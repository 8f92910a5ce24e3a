// verdict: clean
// The host polls a flag in mapped memory that the kernel sets after a fence, and then reads the
// result. This is a correct program. hirace does not model this order: it says so, and takes the
// kernel for complete once the host has seen the flag.
#include <cstdio>

__global__ void produce(volatile int* flag, int* result) {
  result[0] = 42;
  __threadfence_system();
  *flag = 1;
}

int main() {
  int *flag, *result;
  cudaHostAlloc(&flag, sizeof(int), cudaHostAllocMapped);
  cudaHostAlloc(&result, sizeof(int), cudaHostAllocMapped);
  *flag = 0;
  produce<<<1, 1>>>(flag, result);
  while (*static_cast<volatile int*>(flag) == 0) {
  }
  std::printf("%d\n", result[0]);
  cudaDeviceSynchronize();
  return 0;
}
