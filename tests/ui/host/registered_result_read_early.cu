// verdict: race
// race: lines 12 and 28, variable squares, global
// repaired: clean
// A kernel writes to memory of the host that is registered, and the host reads it without waiting. Before, the
// memory was registered in another size, used, waited for and unregistered.
// Repaired: cudaDeviceSynchronize.
#include <cstdio>
#include <cstdlib>

constexpr int n = 64;

__global__ void square(int* squares) { squares[threadIdx.x] = threadIdx.x * threadIdx.x; }

int main() {
  int* const memory = static_cast<int*>(std::calloc(n, sizeof(int)));
  cudaHostRegister(memory, n / 2 * sizeof(int), cudaHostRegisterMapped);
  int* squares;
  cudaHostGetDevicePointer(reinterpret_cast<void**>(&squares), memory, 0);
  square<<<1, n / 2>>>(squares);
  cudaDeviceSynchronize();
  cudaHostUnregister(memory);
  memory[3] = 0;
  cudaHostRegister(memory, n * sizeof(int), cudaHostRegisterMapped);
  square<<<1, n>>>(squares);
#ifdef REPAIRED
  cudaDeviceSynchronize();
#endif
  const int found = memory[n - 1];
  std::printf("%d\n", found);
  cudaDeviceSynchronize();
  cudaHostUnregister(memory);
  std::free(memory);
  return found == (n - 1) * (n - 1) ? 0 : 1;
}
