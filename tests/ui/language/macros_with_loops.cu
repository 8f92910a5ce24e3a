// verdict: race
// race: lines 9 and 10, variable a, shared
// repaired: clean
//
// Two macros with loops, which the kernel uses one after the other: the report says where each is used, and the
// barrier belongs between the two uses.
// Repaired: it is there.
// clang-format off
#define FILL(a, n) for (int i = threadIdx.x; i < n; i += blockDim.x) a[i] = i
#define SUM(a, n, sum) do { for (int i = 0; i < n; ++i) sum += a[i]; } while (0)
// clang-format on

constexpr int count = 128;

__global__ void sums(int* results) {
  __shared__ int numbers[count];
  int result = 0;
  FILL(numbers, count);
#ifdef REPAIRED
  __syncthreads();
#endif
  SUM(numbers, count, result);
  results[threadIdx.x] = result;
}

int main() {
  int* results;
  cudaMalloc(&results, 64 * sizeof(int));
  sums<<<1, 64>>>(results);
  int first;
  cudaMemcpy(&first, results, sizeof first, cudaMemcpyDeviceToHost);
  cudaFree(results);
#ifdef REPAIRED
  return first != count * (count - 1) / 2;
#endif
}
