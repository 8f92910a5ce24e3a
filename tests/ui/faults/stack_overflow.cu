// verdict: fault
// fault: HF007, thread 0
// repaired: clean
// A recursion that has no end for odd numbers.
__device__ int depth(int* data, int n) {
  // More than a page, which the function touches before its first line.
  volatile int frame[2048];
  frame[0] = n;
#ifdef REPAIRED
  if (n <= 0) return 0;
#else
  if (n == 0) return data[0];
#endif
  return depth(data, n - 2) + frame[0];
}

__global__ void recurse(int* data) {
  data[1] = depth(data, 7);
}

int main() {
  int* data;
  cudaMalloc(&data, 2 * sizeof(int));
  cudaMemset(data, 0, 2 * sizeof(int));
  recurse<<<1, 1>>>(data);
  return cudaDeviceSynchronize();
}
