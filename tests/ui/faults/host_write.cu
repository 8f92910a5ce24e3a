// verdict: fault
// fault: HF013, line 13
// repaired: clean
// The host fills device memory through the pointer.
__global__ void increment(int* data) {
  data[threadIdx.x] += 1;
}

void set(int* data, int value) {
#ifdef REPAIRED
  cudaMemcpy(data, &value, sizeof value, cudaMemcpyHostToDevice);
#else
  data[0] = value;
#endif
}

int main() {
  int* data;
  cudaMalloc(&data, sizeof(int));
  set(data, 1);
  increment<<<1, 1>>>(data);
  return cudaDeviceSynchronize();
}
