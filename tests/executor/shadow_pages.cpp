//! run HIRACE_JOBS=8 -> 0: 32768000 times
//! run HIRACE_JOBS=2 -> 0: 32768000 times
//! run HIRACE_JOBS=1 -> 0: 32768000 times
// OS threads that take pages of shadow from one another. Each element is written twice in each
// launch, by two blocks, so there are as many races as elements; an access that is lost between two
// OS threads would reduce the number.
#include "check.h"

__global__ void write_twice(int* data, unsigned count) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  hirace::write(1, data[i % count]) = static_cast<int>(i);
}

int main() {
  // The smallest launch that several OS threads run, so that they collide as often as possible.
  constexpr unsigned count = 1 << 15, threads = 256, launches = 1000;
  int* const data = managed<int>(count);
  for (unsigned i = 0; i < launches; ++i) {
    launch("write_twice", 2 * count / threads, threads, 0, [=] { write_twice(data, count); });
  }
}
