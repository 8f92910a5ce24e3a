// verdict: race
// race: lines 17 and 20, variable s, shared
// repaired: clean
// The bound of the loop and the memory that the kernel writes are members of one object, passed by value.
constexpr int threads = 128;

struct Parameters {
  const float* in;
  float* out;
  int n;
};

__global__ void sums(Parameters p) {
  __shared__ float s[threads];
  float sum = 0;
  for (int begin = 0; begin < p.n; begin += threads) {
    s[threadIdx.x] = p.in[begin + threadIdx.x];
    __syncthreads();
    p.out[threadIdx.x] = sum;
    sum += s[threads - 1 - threadIdx.x];
#ifdef REPAIRED
    __syncthreads();
#endif
  }
  p.out[threadIdx.x] = sum;
}

int main() {
  constexpr int n = 4 * threads;
  float* in;
  Parameters p{nullptr, nullptr, n};
  cudaMalloc(&in, n * sizeof(float));
  cudaMalloc(&p.out, threads * sizeof(float));
  cudaMemset(in, 0, n * sizeof(float));
  p.in = in;
  sums<<<1, threads>>>(p);
  cudaDeviceSynchronize();
}
