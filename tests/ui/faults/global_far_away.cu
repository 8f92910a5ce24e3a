// verdict: fault
// fault: HF001, line 10, thread 1
// repaired: clean
// The stride is in bytes, but the index counts elements.
__global__ void mark(int* data, int stride) {
  const int i = threadIdx.x;
#ifdef REPAIRED
  data[i * stride] = i;
#else
  data[i * 1000000] = i;
#endif
}

int main() {
  int* data;
  cudaMalloc(&data, 32 * sizeof(int));
  mark<<<1, 32>>>(data, 1);
  return cudaDeviceSynchronize();
}
