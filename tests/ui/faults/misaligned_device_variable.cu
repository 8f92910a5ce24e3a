// verdict: fault
// fault: HF011, line 8, thread 0
// repaired: clean
// A short at an odd address of a __device__ array, near the beginning of the next one.
__device__ char buffer[64], next[64];

__global__ void store(int at) {
  *reinterpret_cast<short*>(buffer + at) = next[0];
}

int main() {
#ifdef REPAIRED
  store<<<1, 1>>>(60);
#else
  store<<<1, 1>>>(61);
#endif
  return cudaDeviceSynchronize();
}
