// verdict: fault
// fault: HF013, line 22
// repaired: clean
// The host reads a result directly from device memory.
#include <cstdio>

__global__ void increment(int* data) {
  data[threadIdx.x] += 1;
}

int main() {
  int* data;
  cudaMalloc(&data, 4 * sizeof(int));
  cudaMemset(data, 0, 4 * sizeof(int));
  increment<<<1, 4>>>(data);
  cudaDeviceSynchronize();
#ifdef REPAIRED
  int result;
  cudaMemcpy(&result, data + 2, sizeof result, cudaMemcpyDeviceToHost);
  std::printf("%d\n", result);
#else
  std::printf("%d\n", data[2]);
#endif
}
