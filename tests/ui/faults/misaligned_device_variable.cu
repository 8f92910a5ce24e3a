// verdict: fault
// fault: HF011, line 8, thread 0
// repaired: clean
// A short at an odd address of a __device__ array.
__device__ char buffer[64];

__global__ void store(int at) {
  *reinterpret_cast<short*>(buffer + at) = 1;
}

int main() {
#ifdef REPAIRED
  store<<<1, 1>>>(2);
#else
  store<<<1, 1>>>(3);
#endif
  return cudaDeviceSynchronize();
}
