// verdict: fault
// fault: HF001, line 11, thread 0
// repaired: clean
// One element past the end of an array that fills whole pages.
__global__ void last(int* data, int n) {
#ifdef REPAIRED
  const int i = n - 1;
#else
  const int i = n;
#endif
  data[i] = 1;
}

int main() {
  constexpr int n = 1 << 18;
  int* data;
  cudaMalloc(&data, n * sizeof(int));
  last<<<1, 1>>>(data, n);
  return cudaDeviceSynchronize();
}
