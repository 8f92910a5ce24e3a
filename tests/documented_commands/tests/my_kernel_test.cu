// A test without a race, for the line that README.md shows as a CI step.
__global__ void fill(int* out) { out[threadIdx.x] = threadIdx.x; }

int main() {
  int* out;
  cudaMalloc(&out, 64 * sizeof(int));
  fill<<<1, 64>>>(out);
  const bool failed = cudaDeviceSynchronize() != cudaSuccess;
  cudaFree(out);
  return failed;
}
