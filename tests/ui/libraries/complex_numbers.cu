// verdict: race
// repaired: clean
// race: lines 28 and 28, variable s, shared
//
// Numbers of thrust::complex, which programs overload functions for beside std::complex: powers of a root of unity,
// summed by halves.
#include <thrust/complex.h>

#include <complex>
#include <cstdio>
#include <cstdlib>

using Number = thrust::complex<float>;

constexpr int size = 128;

__global__ void sum_of_powers(Number root, Number* sum) {
  __shared__ Number s[size];
  const int t = threadIdx.x;
  s[t] = thrust::pow(root, t) + 1;
  for (int half = size / 2; half > 0; half /= 2) {
#ifdef REPAIRED
    __syncthreads();
#else
    if (half >= 32) __syncthreads();
#endif
    if (t < half) {
      s[t] += s[t + half];
    }
    if (half < 32) __syncwarp();
  }
  if (t == 0) *sum = (s[0] - float(size)) * 2.0f;
}

const char* kind(const std::complex<float>&) { return "std"; }
const char* kind(const Number&) { return "thrust"; }

int main() {
  const Number root = thrust::polar(1.0f, 2 * 3.14159265f / size);
  Number* sum;
  cudaMalloc(&sum, sizeof(Number));
  sum_of_powers<<<1, size>>>(root, sum);
  Number result;
  cudaMemcpy(&result, sum, sizeof result, cudaMemcpyDeviceToHost);
  cudaFree(sum);
  const std::complex<float> standard = root;
  const Number back = standard;
  const thrust::complex<double> wide = thrust::complex<double>(back) * root / back;
  const bool same = back == root && standard == back && back != 1.0f && !(back != standard);
  if (!same || thrust::abs(wide - thrust::complex<double>(root)) > 1e-6 || kind(standard) == kind(back)) return 1;
#ifdef REPAIRED
  if (thrust::abs(result) > 1e-3f) {
    std::printf("%g %g\n", result.real(), result.imag());
    return 1;
  }
#endif
  return 0;
}
