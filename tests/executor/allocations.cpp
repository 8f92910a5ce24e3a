//! run HIRACE_JOBS=1 -> 0
// A launch like one before takes nothing from the heap: stacks, blocks and shadow are there.
#include "check.h"

static unsigned long allocations = 0;

extern "C" {
void* __libc_malloc(std::size_t bytes);
// All of the process come here, those of operator new too.
void* malloc(std::size_t bytes) {
  ++allocations;
  return __libc_malloc(bytes);
}
}

__global__ void sums(int* in, int* out) {
  typedef int buffer[256];
  buffer& s = hirace::cpu::shared<buffer, 1>();
  const unsigned t = threadIdx.x;
  hirace::write(1, s[t]) = hirace::read(2, in[blockIdx.x * blockDim.x + t]);
  hirace::syncwarp(3);
  for (unsigned stride = 128; stride > 0; stride /= 2) {
    hirace::syncthreads(4);
    if (t < stride) hirace::update(5, s[t]) += hirace::read(6, s[t + stride]);
  }
  if (t == 0) hirace::atomicAdd(7, &out[0], hirace::read(8, s[0]));
}

int main() {
  constexpr unsigned blocks = 256, threads = 256;
  int* const in = managed<int>(blocks * threads);
  int* const out = managed<int>(1);
  const auto run = [&] { launch("sums", blocks, threads, 0, [=] { sums(in, out); }); };
  run();
  CHECK(allocations != 0);
  const unsigned long before = allocations;
  for (int i = 0; i < 3; ++i) run();
  CHECK(allocations == before);
}
