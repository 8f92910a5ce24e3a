// verdict: fault
// fault: HF001, line 9, thread 0
// repaired: clean
// An index before the beginning of a __device__ array, which another array precedes.
__device__ int first[8];
__device__ int second[4][8];

__global__ void store(int row) {
  second[row][7] = first[0];
}

int main() {
#ifdef REPAIRED
  store<<<1, 1>>>(0);
#else
  store<<<1, 1>>>(-1);
#endif
  return cudaDeviceSynchronize();
}
