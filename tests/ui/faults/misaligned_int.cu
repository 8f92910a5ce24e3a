// verdict: fault
// fault: HF011, line 6, thread 0
// repaired: clean
// A number inside a packed message.
__global__ void store(char* bytes, int at) {
  *reinterpret_cast<int*>(bytes + at) = 1;
}

int main() {
  char* bytes;
  cudaMalloc(&bytes, 64);
#ifdef REPAIRED
  store<<<1, 1>>>(bytes, 8);
#else
  store<<<1, 1>>>(bytes, 5);
#endif
  return cudaDeviceSynchronize();
}
