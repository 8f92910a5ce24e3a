// verdict: fault
// fault: HF001, line 11, thread 0
// repaired: clean
// An access past the end of memory that the kernel allocated.
__global__ void fill(int n) {
#ifdef REPAIRED
  int* list = static_cast<int*>(malloc((n + 1) * sizeof(int)));
#else
  int* list = static_cast<int*>(malloc(n * sizeof(int)));
#endif
  list[n] = 0;
  free(list);
}

int main() {
  fill<<<1, 4>>>(10);
  return cudaDeviceSynchronize();
}
