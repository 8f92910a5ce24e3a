//! run words -> 0: hirace: 0 races; 1600 launches, 102400 accesses checked
//! run bytes -> 0: hirace: 0 races; 1600 launches, 102400 accesses checked
//! run past_end -> 0: access out of bounds in kernel past_end
//! run shared -> 0: 49600 times
// The numbers of epochs repeat after some hundred launches: what earlier launches accessed is forgotten then,
// and what belongs to no allocation is not.
#include "check.h"

#include <cstring>

// Each launch gives an element to another block than the one before.
__global__ void words(int* data, unsigned shift) { hirace::write(1, data[(blockIdx.x + shift) % 64 * 4096]) = 1; }
__global__ void bytes(int* data, unsigned shift) {
  hirace::write(1, reinterpret_cast<char*>(data)[(blockIdx.x + shift) % 64 * 4096]) = 1;
}
__global__ void past_end(int* data, unsigned shift) {
  if (shift == 1599 && blockIdx.x == 0) hirace::write(1, data[100]) = 1;
  hirace::write(2, data[blockIdx.x]) = 1;
}
// A race of two lanes in each block.
__global__ void shared(int*, unsigned) {
  typedef int one[1];
  one& s = hirace::cpu::shared<one, 1>();
  if (blockIdx.x < 31) hirace::write(3, s[0]) = static_cast<int>(threadIdx.x);
}

int main(int, char** arguments) {
  int* const data = managed<int>(64 * 4096);
  int* few = nullptr;
  CHECK(cudaMalloc(&few, 100 * sizeof(int)) == cudaSuccess);
  const auto is = [&](const char* name) { return std::strcmp(arguments[1], name) == 0; };
  for (unsigned i = 0; i < 1600; ++i) {
    if (is("words")) launch("words", 64, 1, 0, [=] { words(data, i); });
    if (is("bytes")) launch("bytes", 64, 1, 0, [=] { bytes(data, i); });
    if (is("past_end")) launch("past_end", 64, 1, 0, [=] { past_end(few, i); });
    if (is("shared")) launch("shared", 64, 2, 0, [=] { shared(data, i); });
  }
}
