// Device memory runs short: the program goes on, and it is said what is not checked.
//
//! run part window -> 0: shortage.cpp:69: no device memory is left for the shadow of
//! run part table -> 0: shortage.cpp:69: no device memory is left for the shadow of
//! run reuse window -> 0
//! run reuse table -> 0
//! run each_call window -> 0
//! run each_call table -> 0
#include <sys/wait.h>

#include "check.h"

namespace {

using made_up::mebibyte;

// Uses memory as it is allocated and freed, all of which may fail.
void use_memory() {
  for (int round = 0; round < 3; ++round) {
    int* memory = nullptr;
    if (gpu::cudaMalloc(&memory, 3 * mebibyte) != cudaSuccess) continue;
    const auto before = header().accesses + header().outside;
    const auto unmonitored = header().unmonitored_launches;
    launch("uses", 2, 1, [&] { write(1, memory[blockIdx.x]) = 1; });
    EXPECT(gpu::cudaDeviceSynchronize() == cudaSuccess);
    // Nothing goes unchecked without being counted.
    EXPECT(header().accesses + header().outside == before + 2 || header().unmonitored_launches == unmonitored + 1);
    EXPECT(header().outside == 0 || header().limits == hirace::shadow_memory_exhausted);
    if (round == 1) EXPECT(gpu::cudaFree(memory) == cudaSuccess);
  }
  EXPECT(races() == 0);
}

}  // namespace

int main(int, char** arguments) {
  const std::string what = arguments[1];
  made_up::Machine& machine = made_up::machine();
  machine.has_virtual_memory = arguments[2] != std::string("table");
  if (what == "each_call") {
    // Each allocation fails once, and all after it.
    for (int left = 0; left < 40; ++left) {
      const pid_t child = ::fork();
      if (child == 0) {
        machine.allocations_left = left;
        use_memory();
        std::_Exit(0);
      }
      int status = 0;
      EXPECT(::waitpid(child, &status, 0) == child && status == 0);
    }
    return 0;
  }
  machine.free_bytes = 400 * mebibyte;
  int *memory = nullptr, *more = nullptr;
  EXPECT(gpu::cudaMalloc(&memory, 16 * mebibyte) == cudaSuccess);
  if (what == "reuse") {
    // Shadow moves on with the allocations, also where those need the memory itself.
    for (int round = 0; round < 20; ++round) {
      EXPECT(gpu::cudaMalloc(&more, (round == 10 ? 250 : 48) * mebibyte) == cudaSuccess);
      if (round != 10) launch("writes", 1, 1, [&] { write(1, *more) = 1; });
      EXPECT(gpu::cudaFree(more) == cudaSuccess);
    }
    EXPECT(gpu::cudaDeviceSynchronize() == cudaSuccess);
    EXPECT(header().accesses == 19 && header().outside == 0);
    return 0;
  }
  EXPECT(header().limits == 0);
  EXPECT(gpu::cudaMalloc(&more, 96 * mebibyte) == cudaSuccess);
  EXPECT(header().limits == hirace::shadow_memory_exhausted);
  launch("writes", 1, 1, [&] {
    write(1, *memory) = 1;
    write(1, more[0]) = 1;
    write(1, more[96 * mebibyte / 4 - 1]) = 1;
  });
  EXPECT(gpu::cudaDeviceSynchronize() == cudaSuccess);
  EXPECT(header().accesses == 2 && header().outside == 1);
  return 0;
}
