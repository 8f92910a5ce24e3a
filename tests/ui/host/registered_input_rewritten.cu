// verdict: race
// race: lines 22 and 26, variable , global
// repaired: clean
// An input is copied from registered memory by cudaMemcpyAsync, and the host writes the next input there at once.
// The copy is asynchronous, because the memory is page-locked.
// Repaired: the host waits for the stream.
#include <vector>

constexpr int n = 64;

__global__ void twice(const int* in, int* out) { out[threadIdx.x] += 2 * in[threadIdx.x]; }

int main() {
  std::vector<int> input(n, 1);
  int *in, *out;
  cudaMalloc(&in, n * sizeof(int));
  cudaMalloc(&out, n * sizeof(int));
  cudaMemset(out, 0, n * sizeof(int));
  cudaHostRegister(input.data(), n * sizeof(int), cudaHostRegisterDefault);
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  cudaMemcpyAsync(in, input.data(), n * sizeof(int), cudaMemcpyHostToDevice, stream);
#ifdef REPAIRED
  cudaStreamSynchronize(stream);
#endif
  for (int i = 0; i < n; ++i) input[i] = 3;
  twice<<<1, n, 0, stream>>>(in, out);
  int result[n];
  cudaMemcpyAsync(result, out, sizeof result, cudaMemcpyDeviceToHost, stream);
  cudaStreamSynchronize(stream);
  cudaHostUnregister(input.data());
  return result[5] == 2 ? 0 : 1;
}
