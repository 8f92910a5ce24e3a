// verdict: fault
// fault: HF002, line 14, thread 0
// repaired: clean
// A node is read after it was freed.
__global__ void walk(int* out) {
  int* node = new int[2];
  node[0] = 1;
  node[1] = 2;
#ifdef REPAIRED
  const int next = node[1];
  delete[] node;
#else
  delete[] node;
  const int next = node[1];
#endif
  out[threadIdx.x] = next;
}

int main() {
  int* out;
  cudaMalloc(&out, sizeof(int));
  walk<<<1, 1>>>(out);
  return cudaDeviceSynchronize();
}
