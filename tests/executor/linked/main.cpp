//! run -> 0
// Two translation units: shared variables, device variables and launches in both.
#include "other.h"

HIRACE_DEVICE_VARIABLE __device__ int device_counter = 3;

__global__ void add(int* out) {
  int& s = hirace::cpu::shared<int, 1>();
  if (threadIdx.x == 0) s = 0;
  hirace::syncthreads(0);
  hirace::atomicAdd(0, &s, 1);
  hirace::syncthreads(0);
  if (threadIdx.x == 0) out[blockIdx.x] = s;
  hirace::atomicAdd(0, &device_counter, 1);
}

int main() {
  int* out = managed<int>(10);
  launch("add", 10, 50, 0, [=] { add(out); });
  for (int i = 0; i < 10; ++i) CHECK(out[i] == 50);
  multiply_all(out, 10);
  for (int i = 0; i < 10; ++i) CHECK(out[i] == 50 * 50);

  int count = 0;
  CHECK(cudaMemcpyFromSymbol(&count, device_counter, sizeof count) == cudaSuccess && count == 503);
  void* address = nullptr;
  CHECK(cudaGetSymbolAddress(&address, device_counter) == cudaSuccess && address == &device_counter);
  CHECK(hirace::cpu::device_section_begin() <= address && address < hirace::cpu::device_section_end());
  CHECK(cudaMemset(address, 0, sizeof count) == cudaSuccess && device_counter == 0);
}
