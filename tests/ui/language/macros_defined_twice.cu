// verdict: race
// repaired: clean
// race: lines 21 and 25, variable TARGET, global
// race-also: lines 29 and 29, variable TOTAL, global
//
// Only the preprocessor knows which definition of a macro is compiled: an access has the name of the macro, unless the
// memory itself has a name.
// Repaired: a barrier is between read and write, and the sum is made by atomic operations.
#ifdef KEEPS_INPUT
#define TARGET(i) other[i]
#define TOTAL even
#else
#define TARGET(i) target[i]
#define TOTAL odd
#endif

__device__ int even, odd;

__global__ void reverse(int* target, int* other) {
  const int t = threadIdx.x;
  const int value = target[255 - t];
#ifdef REPAIRED
  __syncthreads();
#endif
  TARGET(t) = value;
#ifdef REPAIRED
  atomicAdd(&TOTAL, value);
#else
  TOTAL += value;
#endif
}

int main() {
  int *target, *other;
  cudaMalloc(&target, 256 * sizeof(int));
  cudaMalloc(&other, 256 * sizeof(int));
  cudaMemset(target, 0, 256 * sizeof(int));
  reverse<<<1, 256>>>(target, other);
  cudaDeviceSynchronize();
}
