// verdict: fault
// fault: HF011, line 9, thread 3
// repaired: clean
//
// A thread ends at a misaligned access. That the others pass the barrier without it is no further fault.
__global__ void sums(char* bytes, int* out, int shift) {
  __shared__ int parts[32];
  const int t = threadIdx.x;
  parts[t] = *reinterpret_cast<int*>(bytes + 4 * t + (t == 3 ? shift : 0));
  __syncthreads();
  parts[t] += 1;
  __syncthreads();
  out[t] = parts[31 - t];
}

int main() {
  char* bytes;
  int* out;
  cudaMalloc(&bytes, 256);
  cudaMalloc(&out, 32 * sizeof(int));
  cudaMemset(bytes, 1, 256);
#ifdef REPAIRED
  sums<<<1, 32>>>(bytes, out, 4);
#else
  sums<<<1, 32>>>(bytes, out, 2);
#endif
  return cudaDeviceSynchronize();
}
