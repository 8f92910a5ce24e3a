// verdict: race
// repaired: clean
// race: lines 14 and 16, variable values, shared
// race-also: lines 15 and 16, variable values, shared
// race-also: lines 16 and 16, variable values, shared
// race-also: lines 15 and 15, variable values, shared
//
// The first step of a transform is called by name, and the second one by a macro: which of the two calls made the first
// access of a race, the source does not tell.
// Repaired: there is a barrier between the two steps.
template <int size>
__device__ void butterfly(int* values, int t) {
  const int half = size / 2, at = t / half * size + t % half;
  const int low = values[at];
  values[at] = low + values[at + half];
  values[at + half] = low - values[at + half];
}

#define STEP(size) butterfly<size>(values, threadIdx.x)

__global__ void transform(int* out) {
  __shared__ int values[256];
  const int t = threadIdx.x;
  values[t] = values[t + 128] = t;
  __syncthreads();
  butterfly<128>(values, t);
#ifdef REPAIRED
  __syncthreads();
#endif
  STEP(256);
  __syncthreads();
  out[t] = values[t];
}

int main() {
  int* out;
  cudaMalloc(&out, 128 * sizeof(int));
  transform<<<1, 128>>>(out);
  cudaDeviceSynchronize();
  cudaFree(out);
}
