//! run -> 0
//! run HIRACE_JOBS=2 -> 0
//! run synchronize -> 2: a kernel waits for those that it has launched
// Kernels that launch kernels: their order and depth.
#include <cuda_runtime.h>

#include <vector>

#include "check.h"

struct Log {
  int count;
  int entries[64];
};

template <class Body>
void from_kernel(const char* kernel, dim3 grid, dim3 block, Body body, cudaStream_t stream = nullptr) {
  hirace::cpu::launch(hirace::LaunchInfo{kernel, 0, true, 3, 0u, ~0u}, grid, block, 0, stream, body);
}

void note(Log* log, int entry) { log->entries[log->count++] = entry; }

void test_order() {
  Log* log = managed<Log>(1);
  launch("parent", 2, 1, 0, [=] {
    const int base = static_cast<int>(blockIdx.x) * 100;
    from_kernel("last", 1, 1, [=] { note(log, base + 9); }, cudaStreamTailLaunch);
    from_kernel("first", 1, 1, [=] {
      note(log, base + 1);
      from_kernel("grandchild", 1, 1, [=] { note(log, base + 2); });
      from_kernel("after", 1, 1, [=] { note(log, base + 3); }, cudaStreamTailLaunch);
    });
    from_kernel("second", 1, 1, [=] { note(log, base + 4); }, cudaStreamFireAndForget);
  });
  const std::vector<int> expected{1, 2, 3, 4, 101, 102, 103, 104, 9, 109};
  CHECK(std::vector<int>(log->entries, log->entries + log->count) == expected);
}

// The children see what the parent wrote, and many blocks may launch.
void test_data() {
  int* data = managed<int>(4096);
  launch("parent", 128, 256, 0, [=] {
    if (threadIdx.x != 0) return;
    const int block = static_cast<int>(blockIdx.x);
    data[block * 32] = block;
    from_kernel("child", 1, 32, [=] { data[block * 32 + static_cast<int>(threadIdx.x)] += static_cast<int>(threadIdx.x); });
  });
  for (int i = 0; i < 128; ++i) CHECK(data[i * 32] == i && data[i * 32 + 31] == 31);
}

void dive(int* depth, int level) {
  *depth = level;
  from_kernel("dive", 1, 1, [=] { dive(depth, level + 1); });
  if (cudaGetLastError() == cudaErrorLaunchMaxDepthExceeded) *depth = -level;
}

void test_depth() {
  int* depth = managed<int>(1);
  launch("dive", 1, 1, 0, [=] { dive(depth, 0); });
  CHECK(*depth == -23);
  // Tail launches follow one another without end, at the same depth.
  launch("loop", 1, 1, 0, [=] { *depth = 0; });
  struct Loop {
    static void next(int* count) {
      if (++*count < 100) from_kernel("loop", 1, 1, [=] { next(count); }, cudaStreamTailLaunch);
    }
  };
  launch("loop", 1, 1, 0, [=] { Loop::next(depth); });
  CHECK(*depth == 100);
}

// A child that cannot be launched is an error of the kernel, not of the host.
void test_errors() {
  int* error = managed<int>(1);
  launch("parent", 1, 1, 0, [=] {
    from_kernel("child", 1, 2000, [] { std::abort(); });
    *error = cudaGetLastError();
  });
  CHECK(*error == cudaErrorInvalidConfiguration && cudaGetLastError() == cudaSuccess);
}

int main(int count, char**) {
  test_order();
  test_data();
  test_depth();
  test_errors();
  if (count > 1) launch("parent", 1, 1, 0, [] { cudaDeviceSynchronize(); });
}
