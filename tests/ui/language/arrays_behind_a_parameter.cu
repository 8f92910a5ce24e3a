// verdict: race
// repaired: clean
// race: lines 14 and 14, variable cells, global
// race-also: lines 18 and 18, variable values, global
//
// One line races in several arrays, and in two instances of a kernel: the finding names them all.
// Repaired: each thread has its own element.
#ifdef REPAIRED
#define OWN(t) (t)
#else
#define OWN(t) ((t) / 2)
#endif

__device__ void put(int* cells, int t) { cells[OWN(t)] = t; }

template <typename T>
__global__ void grow(T* values, T step) {
  values[OWN(threadIdx.x)] += step;
}

__global__ void mark(int* image, int* mask) {
  put(image, threadIdx.x);
  put(mask, threadIdx.x);
}

int main() {
  int *image, *mask;
  double* weights;
  cudaMalloc(&image, 256 * sizeof(int));
  cudaMalloc(&mask, 256 * sizeof(int));
  cudaMalloc(&weights, 256 * sizeof(double));
  cudaMemset(image, 0, 256 * sizeof(int));
  cudaMemset(weights, 0, 256 * sizeof(double));
  mark<<<1, 256>>>(image, mask);
  grow<<<1, 256>>>(image, 1);
  grow<<<1, 256>>>(weights, 0.5);
  cudaDeviceSynchronize();
}
