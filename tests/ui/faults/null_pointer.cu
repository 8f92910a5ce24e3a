// verdict: fault
// fault: HF003, line 12, thread 0
// repaired: clean
// An optional output whose pointer is null: no variable is near that address.
__device__ int calls;

__global__ void count(const int* in, int* result) {
  const int value = in[threadIdx.x] + ++calls;
#ifdef REPAIRED
  if (result != nullptr)
#endif
    *result = value;
}

int main() {
  int* in;
  cudaMalloc(&in, sizeof(int));
  cudaMemset(in, 0, sizeof(int));
  count<<<1, 1>>>(in, nullptr);
  return cudaDeviceSynchronize();
}
