// verdict: race
// repaired: clean
// race: lines 18 and 32, variable tile, shared
// race: lines 33 and 33, variable out, global
// Macros that define kernels from places, expressions and statements that they are given.

#define ELEMENTWISE(name, type, place, value) \
  __global__ void name(type* out, const type* in, int n) { \
    const int i = blockIdx.x * blockDim.x + threadIdx.x; \
    if (i < n) place = (value); \
  }
#define WITH_TILE(name, ...) \
  __global__ void name(int* out) { \
    __shared__ int tile[64]; \
    const int t = threadIdx.x; \
    tile[t] = t; \
    __syncthreads(); \
    int sum = tile[63 - t]; \
    __VA_ARGS__ \
    out[t] = sum; \
  }
#define COUNT(name, place) extern "C" __global__ void name(int* out) { const int i = threadIdx.x; place += 1; }

struct Twice {
  __device__ int of(int value) const { return 2 * value; }
};

#ifdef REPAIRED
WITH_TILE(sums, Twice twice; __syncthreads(); tile[t] = twice.of(sum);)
ELEMENTWISE(neighbours, int, out[i], in[(i + 1) % n])
#else
WITH_TILE(sums, Twice twice; tile[t] = twice.of(sum);)
ELEMENTWISE(neighbours, int, out[i], out[(i + 1) % n])
#endif
ELEMENTWISE(scaled, float, out[i], 2 * in[i])
COUNT(count, out[i])

int main() {
  int* out;
  float* numbers;
  cudaMalloc(&out, 128 * sizeof(int));
  cudaMalloc(&numbers, 128 * sizeof(float));
  cudaMemset(out, 0, 128 * sizeof(int));
  cudaMemset(numbers, 0, 128 * sizeof(float));
  sums<<<1, 64>>>(out);
  neighbours<<<1, 64>>>(out, out + 64, 64);
  scaled<<<1, 64>>>(numbers, numbers + 64, 64);
  count<<<1, 64>>>(out);
  return cudaDeviceSynchronize() != cudaSuccess;
}
