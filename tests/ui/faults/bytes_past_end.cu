// verdict: fault
// fault: HF001, line 7, thread 8
// repaired: clean
// The byte after a text, in a separate word.
__global__ void upper(char* text, int n) {
  const int i = threadIdx.x;
  if (i < n && text[i] >= 'a') text[i] -= 32;
}

int main() {
#ifdef REPAIRED
  constexpr int bytes = 9;
#else
  constexpr int bytes = 8;  // without its final zero
#endif
  char* text;
  cudaMalloc(&text, bytes);
  cudaMemcpy(text, "abcdefgh", bytes, cudaMemcpyHostToDevice);
  upper<<<1, 32>>>(text, 9);
  return cudaDeviceSynchronize();
}
