// verdict: race
// repaired: clean
// race: lines 26 and 30, variable row, shared
// race-also: lines 28 and 30, variable row, shared
//
// Threads find a maximum by compare-and-swap in the loop that averages a row. What they read of the maximum is no flag:
// the barrier at the end of the loop is missing.
// Repaired: it is there.
__device__ int largest;

__device__ void raise(int* to, int value) {
  int seen = *(volatile int*)to;
  while (value > seen) {
    const int found = atomicCAS(to, seen, value);
    if (found == seen) break;
    seen = found;
  }
}

__global__ void average(const int* rows, int* out, int steps) {
  __shared__ int row[66];
  const int t = threadIdx.x;
  for (int step = 0; step < steps; step++) {
    // The first thread brings what is beside the row.
    const int* const from = rows + 64 * step;
    row[1 + t] = from[t];
    if (t == 0) row[0] = from[63];
    if (t == 0) row[65] = from[0];
    __syncthreads();
    const int sum = row[t] + row[1 + t] + row[2 + t];
    out[64 * step + t] = sum / 3;
    raise(&largest, sum);
#ifdef REPAIRED
    __syncthreads();
#endif
  }
}

int main() {
  int *rows, *out;
  cudaMalloc(&rows, 256 * sizeof(int));
  cudaMalloc(&out, 256 * sizeof(int));
  cudaMemset(rows, 1, 256 * sizeof(int));
  average<<<1, 64>>>(rows, out, 4);
  cudaDeviceSynchronize();
}
