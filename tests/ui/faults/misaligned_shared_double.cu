// verdict: fault
// fault: HF011, line 8, thread 0
// repaired: clean
// Doubles in dynamic shared memory after an odd number of ints.
__global__ void carve(double* out, int ints) {
  extern __shared__ int pool[];
  double* doubles = reinterpret_cast<double*>(pool + ints);
  doubles[threadIdx.x] = threadIdx.x;
  __syncthreads();
  out[threadIdx.x] = doubles[31 - threadIdx.x];
}

int main() {
  double* out;
  cudaMalloc(&out, 32 * sizeof(double));
#ifdef REPAIRED
  carve<<<1, 32, 1024>>>(out, 4);
#else
  carve<<<1, 32, 1024>>>(out, 3);
#endif
  return cudaDeviceSynchronize();
}
