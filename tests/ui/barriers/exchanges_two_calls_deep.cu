// verdict: race
// repaired: clean
// race: lines 11 and 12, variable numbers, shared
// race-also: lines 12 and 12, variable numbers, shared
// race-also: lines 12 and 31, variable numbers, shared
// race-also: lines 12 and 32, variable numbers, shared
//
// A kernel exchanges elements twice by a function that calls others: a barrier is missing between the two exchanges, and
// the report says through which calls each access came.
// Repaired: it is there.
__device__ int get(int* numbers, int i) { return numbers[i]; }
__device__ void put(int* numbers, int i, int value) { numbers[i] = value; }

__device__ void exchange(int* numbers, int a, int b) {
  const int kept = get(numbers, a);
  put(numbers, a, get(numbers, b));
  put(numbers, b, kept);
}

__global__ void shuffle(int* out) {
  __shared__ int numbers[128];
  const int t = threadIdx.x;
  numbers[t] = t;
  numbers[t + 64] = t + 64;
  __syncthreads();
  exchange(numbers, 2 * t, 2 * t + 1);
#ifdef REPAIRED
  __syncthreads();
#endif
  exchange(numbers, t, t + 64);
  out[t] = numbers[t];
  out[t + 64] = numbers[t + 64];
}

int main() {
  int* out;
  cudaMalloc(&out, 128 * sizeof(int));
  shuffle<<<1, 64>>>(out);
  int h[128];
  cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost);
  cudaFree(out);
#ifdef REPAIRED
  for (int i = 0; i < 128; ++i) {
    if (h[i] != ((i + 64) % 128 ^ 1)) return 1;
  }
#endif
}
