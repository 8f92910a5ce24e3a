// verdict: race
// repaired: clean
// race: lines 20 and 21, variable TARGET, global
// race-also: lines 25 and 25, variable odd, global
//
// Only the preprocessor knows which definition of a macro is compiled: an access has the name of the macro.
// Repaired: the kernel writes to the other array, and adds with an atomic operation.
#ifdef REPAIRED
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
