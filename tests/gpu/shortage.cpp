// Device memory runs short: the program continues, and messages say what is not checked.
//
//! run HIRACE_SHADOW=full part window -> 0: shortage.cpp:82: out of device memory for shadow:
//! run HIRACE_SHADOW=full part table -> 0: shortage.cpp:82: out of device memory for shadow:
//! run HIRACE_SHADOW=full reuse window -> 0
//! run HIRACE_SHADOW=full reuse table -> 0
//! run HIRACE_SHADOW=full each_call window -> 0
//! run HIRACE_SHADOW=full each_call table -> 0
//! run shrink window -> 0: races may be missed from now on
//! run shrink table -> 0: races may be missed from now on
//! run its_own window -> 0: races may be missed from now on
//! run HIRACE_SHADOW=cached cached window -> 0
//! run each_call window -> 0
//! run each_call table -> 0
//! run HIRACE_SHADOW=cached each_call table -> 0
//! run HIRACE_SHADOW=half reuse window -> 2: HIRACE_SHADOW is `half`
#include <sys/wait.h>

#include "check.h"

namespace {

using made_up::mebibyte;

// Allocates, uses and frees memory; every allocation may fail.
void use_memory() {
  for (int round = 0; round < 3; ++round) {
    int* memory = nullptr;
    if (gpu::cudaMalloc(&memory, 3 * mebibyte) != cudaSuccess) continue;
    const auto before = header().accesses + header().outside;
    const auto unmonitored = header().unmonitored_launches;
    launch("uses", 2, 1, [&] { write(1, memory[blockIdx.x]) = 1; });
    EXPECT(gpu::cudaDeviceSynchronize() == cudaSuccess);
    // Every unchecked access is counted.
    EXPECT(header().accesses + header().outside == before + 2 || header().unmonitored_launches == unmonitored + 1);
    EXPECT(header().outside == 0 || (header().limits & hirace::shadow_memory_exhausted) != 0);
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
    // For each allocation in turn: it fails, and so do all later ones.
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
  EXPECT(gpu::cudaMalloc(&memory, (what == "its_own" ? 48 : 16) * mebibyte) == cudaSuccess);
  if (what == "reuse") {
    // Shadow moves on with the allocations, even if those need the memory themselves.
    for (int round = 0; round < 20; ++round) {
      EXPECT(gpu::cudaMalloc(&more, (round == 10 ? 250 : 48) * mebibyte) == cudaSuccess);
      if (round != 10) launch("writes", 1, 1, [&] { write(1, *more) = 1; });
      EXPECT(gpu::cudaFree(more) == cudaSuccess);
    }
    EXPECT(gpu::cudaDeviceSynchronize() == cudaSuccess);
    EXPECT(header().accesses == 19 && header().outside == 0);
    return 0;
  }
  EXPECT(header().limits == (what == "cached" ? unsigned{hirace::shadow_cached} : 0u));
  if (what == "its_own") {
    // The program gets the memory that it requests, even if shadow must be released for it.
    int* own = nullptr;
    EXPECT(gpu::cudaMalloc(&own, 200 * mebibyte) == cudaSuccess);
  }
  EXPECT(gpu::cudaMalloc(&more, (what == "its_own" ? 1 : 96) * mebibyte) == cudaSuccess);
  EXPECT(header().limits == (what == "part" ? hirace::shadow_memory_exhausted : hirace::shadow_cached));
  launch("writes", 1, 1, [&] {
    write(1, *memory) = 1;
    write(1, more[0]) = 1;
    write(1, more[what == "its_own" ? 1 : 96 * mebibyte / 4 - 1]) = 1;
  });
  EXPECT(gpu::cudaDeviceSynchronize() == cudaSuccess);
  EXPECT(header().outside == (what == "part" ? 1 : 0) && header().accesses == 3 - header().outside);
  return 0;
}
