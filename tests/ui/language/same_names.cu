// verdict: race
// repaired: clean
// race: lines 32 and 37, variable values, shared
// race: lines 32 and 38, variable values, shared
// race: lines 20 and 32, variable values, shared
// race: lines 32 and 40, variable values, shared
// Functions and methods of one name, some of which take values and some references. What a call means decides whether
// it reads its argument.

namespace numbers {
__device__ int next(int value) { return value + 1; }
}

struct Cell {
  int own;
  __device__ void next(int& value) { value = own; }
  __device__ int doubled(int value) const { return 2 * value + own; }
  __device__ const int* where(int value) const { return value > 0 ? &own : nullptr; }
  __device__ void clear(int& value) { value = 0; }
  __device__ int both(const int* values, int i) { return doubled(values[i]); }
  friend __device__ bool clear(const int& value, const Cell&) { return &value != nullptr; }
};

__device__ void doubled(int& value) { value *= 2; }
__device__ const int* where(const int& value) { return &value; }
__device__ int clear(int value) { return value & 1; }

__global__ void chain(int* out) {
  __shared__ int values[4][64], others[64];
  const int t = threadIdx.x;
  Cell cell{t}, *const pointer = &cell;
  for (int k = 0; k < 4; ++k) values[k][t] = t;
  others[t] = t;
#ifdef REPAIRED
  __syncthreads();
#endif
  int sum = numbers::next(values[0][63 - t]);
  sum += cell.doubled(values[1][63 - t]);
  sum += pointer->both(values[2], 63 - t);
  sum += clear(values[3][63 - t]);
  // These only take addresses.
  sum += where(others[63 - t]) != nullptr;
  sum += clear(others[63 - t], cell);
  out[t] = sum;
}

int main() {
  int* out;
  cudaMalloc(&out, 64 * sizeof(int));
  chain<<<1, 64>>>(out);
  return cudaDeviceSynchronize() != cudaSuccess;
}
