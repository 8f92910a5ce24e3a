//! run HIRACE_JOBS=1 -> 0
//! run HIRACE_JOBS=2 -> 0
//! run HIRACE_JOBS=1 HIRACE_SEED=3 -> 0
//! run HIRACE_JOBS=2 HIRACE_SEED=3 -> 0
//! run HIRACE_JOBS=1 HIRACE_SEED=4 -> 0
//! run HIRACE_JOBS=2 HIRACE_SEED=4 -> 0
// A launch that repeats an earlier one allocates nothing from the heap: stacks, blocks and shadow
// already exist, however many of them a schedule needs. With a seed, threads lose their priority in
// every launch, and interrupt one another at plain accesses in some.
#include "check.h"

#include <hirace/executor/environment.h>

#include <atomic>

static std::atomic<unsigned long> allocations{0};

extern "C" {
void* __libc_malloc(std::size_t bytes);
// Receives all calls of the process, operator new included.
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

// Lasts until `workers` OS threads have run a part of it.
__global__ void meet(unsigned workers, std::atomic<unsigned>* met) {
  static thread_local bool counted = false;
  if (!counted) ++*met;
  counted = true;
  while (*met < workers) {
  }
}

int main() {
  constexpr unsigned blocks = 256, threads = 256;
  int* const in = managed<int>(blocks * threads);
  int* const out = managed<int>(1);
  const auto run = [&] { launch("sums", blocks, threads, 0, [=] { sums(in, out); }); };
  std::atomic<unsigned> met{0};
  const unsigned workers = hirace::cpu::environment_number("HIRACE_JOBS", 0);
  launch("meet", blocks, threads, 0, [&] { meet(workers, &met); });
  run();
  CHECK(allocations != 0);
  const unsigned long before = allocations;
  for (int i = 0; i < 6; ++i) run();
  CHECK(allocations == before);
}
