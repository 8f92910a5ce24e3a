// verdict: fault
// fault: HF001, line 10, thread 0
// repaired: clean
// The left neighbour of the first element.
__global__ void left_sum(int* out, const int* in) {
  const int i = threadIdx.x;
#ifdef REPAIRED
  const int left = i > 0 ? in[i - 1] : 0;
#else
  const int left = in[i - 1];
#endif
  out[i] = left + in[i];
}

int main() {
  constexpr int n = 64;
  int *guard, *in, *out;
  // Large enough that no small allocation lies before it.
  cudaMalloc(&in, 1 << 20);
  cudaMalloc(&out, n * sizeof(int));
  cudaMalloc(&guard, n * sizeof(int));
  cudaMemset(in, 1, 1 << 20);
  left_sum<<<1, n>>>(out, in);
  return cudaDeviceSynchronize();
}
