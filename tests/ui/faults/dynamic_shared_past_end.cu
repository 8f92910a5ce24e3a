// verdict: fault
// fault: HF001, line 8, thread 32
// fault: HF001, line 10
// repaired: clean
// The launch counts elements where it should count bytes.
__global__ void reverse(int* data) {
  extern __shared__ int values[];
  values[threadIdx.x] = data[threadIdx.x];
  __syncthreads();
  data[threadIdx.x] = values[blockDim.x - 1 - threadIdx.x];
}

int main() {
  int* data;
  cudaMalloc(&data, 128 * sizeof(int));
  cudaMemset(data, 0, 128 * sizeof(int));
#ifdef REPAIRED
  reverse<<<1, 128, 128 * sizeof(int)>>>(data);
#else
  reverse<<<1, 128, 128>>>(data);
#endif
  return cudaDeviceSynchronize();
}
