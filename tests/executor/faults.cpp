//! run barrier -> 1: deadlock in kernel barrier, block (0,0,0): 0 of 64 threads have exited
//! run barrier -> 1: thread (0,0,0) waits for lanes 0xffffffff (live: 0xffffffff) at site not recorded
//! run mask -> 1: lanes of a mask reach different calls in kernel mask
//! run mask -> 1: waits for lanes 0x00000003
//! run null -> 0: illegal memory access in kernel null
//! run past_end -> 0: access out of bounds in kernel past_end
//! run far_past_end -> 0: access out of bounds in kernel far_past_end
//! run past_shared -> 0: access out of bounds in kernel past_shared
//! run past_dynamic -> 0: access out of bounds in kernel past_dynamic
//! run freed -> 0: access to freed memory in kernel freed
//! run freed_large -> 0: access to freed memory in kernel freed_large
//! run assertion -> 1: void assertion(int*): block: [0,0,0], thread: [5,0,0] Assertion `*data == 1 || threadIdx.x < 5` failed.
//! run assertion -> 1: assertion failed in kernel assertion
//! run trap -> 1: trap in kernel trap
//! run recursion -> 1: stack overflow in kernel recursion
//! run division -> 1: arithmetic fault in kernel division
//! run abort_in_kernel -> 1: abort in kernel abort_in_kernel
//! run nested -> 1: trap in kernel trap
//! run grid_sync -> 1: grid barrier in a launch that is not cooperative
//! run past_end HIRACE_OPTIONS=halt_on_error=1 -> 1: access out of bounds in kernel past_end
//! run null HIRACE_OPTIONS=halt_on_error=1 -> 1: illegal memory access in kernel null
//! run host_crash -> SIGSEGV
//! run host_abort -> SIGABRT
// Faults in a kernel are described by a line. Those of an access end the program only if it is asked for; others
// end it with status 1.
#include <cooperative_groups.h>

#include <cassert>
#include <cstring>

#include "check.h"

// Half of a warp waits for the other half, which waits for the block.
__global__ void barrier(int*) {
  if (threadIdx.x < 16) {
    hirace::shfl_sync(0, 0xffffffffu, 1, 0);
  } else {
    hirace::syncthreads(0);
  }
}

__global__ void mask(int*) {
  if (threadIdx.x == 0) hirace::syncwarp(0, 3);
  if (threadIdx.x == 1) hirace::syncwarp(0, 7);
}

__global__ void null(int*) {
  int* nothing = nullptr;
  asm("" : "+r"(nothing));
  hirace::write(0, *nothing) = 1;
}

__global__ void past_end(int* data) { hirace::write(0, data[100 + threadIdx.x]) = 1; }
__global__ void far_past_end(int* data) { hirace::write(0, data[(1 << 22) + threadIdx.x]) = 1; }

__global__ void past_shared(int*) {
  typedef int buffer[16];
  buffer& s = hirace::cpu::shared<buffer, 1>();
  buffer& other = hirace::cpu::shared<buffer, 2>();
  other[0] = 1;
  unsigned i = threadIdx.x;
  asm("" : "+r"(i));
  hirace::write(0, s[i]) = 1;
}

__global__ void past_dynamic(int*) {
  int* const s = hirace::cpu::dynamic_shared<int>();
  hirace::write(0, s[threadIdx.x]) = 1;
}

__global__ void freed(int* data) { hirace::write(0, data[threadIdx.x]) = 1; }

__global__ void freed_large(int* data) { hirace::write(0, data[threadIdx.x]) = 1; }

__global__ void assertion(int* data) {
  assert(*data == 1 || threadIdx.x < 5);
}

__global__ void trap(int*) { __trap(); }

__device__ int deep(int* data, int depth) {
  volatile char frame[1000];
  frame[depth % 1000] = 1;
  return depth == 0 ? *data : deep(data, depth - 1) + frame[0];
}
__global__ void recursion(int* data) { data[0] = deep(data, 1000000); }

__global__ void division(int* data) { data[0] = 100 / data[1]; }

__global__ void abort_in_kernel(int*) { std::abort(); }

__global__ void nested(int* data) {
  launch("trap", 1, 1, 0, [=] { trap(data); });
}

__global__ void grid_sync(int*) { cooperative_groups::this_grid().sync(); }

int main(int, char** arguments) {
  int* data = nullptr;
  CHECK(cudaMalloc(&data, 100 * sizeof(int)) == cudaSuccess);
  CHECK(cudaMemset(data, 0, 100 * sizeof(int)) == cudaSuccess);
  const char* const kind = arguments[1];
#define KIND(name) \
  if (std::strcmp(kind, #name) == 0) launch(#name, 1, 64, 100, [=] { name(data); });
  KIND(barrier)
  KIND(mask)
  KIND(null)
  KIND(past_end)
  KIND(far_past_end)
  KIND(past_shared)
  KIND(past_dynamic)
  KIND(assertion)
  KIND(trap)
  KIND(recursion)
  KIND(division)
  KIND(abort_in_kernel)
  KIND(nested)
  KIND(grid_sync)
  if (std::strcmp(kind, "freed") == 0) {
    CHECK(cudaFree(data) == cudaSuccess);
    KIND(freed)
  }
  if (std::strcmp(kind, "freed_large") == 0) {
    int* large = nullptr;
    CHECK(cudaMalloc(&large, 1 << 20) == cudaSuccess && cudaFree(large) == cudaSuccess);
    data = large;
    KIND(freed_large)
  }
  // Signal handlers are installed by the first launch; crashes of host code stay as they are.
  launch("nothing", 1, 1, 0, [] {});
  if (std::strcmp(kind, "host_crash") == 0) {
    volatile int* nothing = nullptr;
    asm("" : "+r"(nothing));
    *nothing = 1;
  }
  if (std::strcmp(kind, "host_abort") == 0) std::abort();
}
