// verdict: fault
// fault: HF001, line 8, thread 0
// repaired: clean
// One row more than the allocation has.
__global__ void clear(char* data, size_t pitch, int width, int height) {
  for (int y = threadIdx.x; y < height; y += blockDim.x) {
    int* row = reinterpret_cast<int*>(data + y * pitch);
    for (int x = 0; x < width; x++) row[x] = 0;
  }
}

int main() {
  char* data;
  size_t pitch;
  cudaMallocPitch(&data, &pitch, 100 * sizeof(int), 32);
#ifdef REPAIRED
  clear<<<1, 32>>>(data, pitch, 100, 32);
#else
  clear<<<1, 32>>>(data, pitch, 100, 33);
#endif
  return cudaDeviceSynchronize();
}
