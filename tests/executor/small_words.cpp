//! run epochs -> 0: hirace: 0 races
//! run HIRACE_JOBS=4 epochs -> 0: hirace: 0 races
//! run grid_barriers -> 0: hirace: 0 races
//! run races -> 0: 100 times
//! run barriers -> 0: limits reached: 0x800001
//! run HIRACE_WIDTHS=0,0,6,0 barriers -> 0: hirace: 0 races
//! run blocks -> 0: limits reached: 0x800004
//! run HIRACE_WIDTHS=9,0,0,0 blocks -> 0: limits reached: 0x800004
//! run threads -> 0: hirace: 0 races
// Words of four bytes: few epochs, which wrap around, and field widths that fit the launch. The limit
// 0x800000 says that accesses of the host are not seen.
#define HIRACE_WORD_BYTES 4
#include "check.h"

#include <cooperative_groups.h>

#include <functional>
#include <map>
#include <string>

// Many times the number of epochs.
constexpr unsigned launches = 100;

// Launches whose epochs have the same number write to the same elements, by other threads: a word
// left over from an earlier one would cause a false race.
unsigned element_of(unsigned thread, unsigned launch, unsigned count) {
  return launch % hirace::max_epoch * count + (thread + launch) % count;
}

void epochs() {
  constexpr unsigned count = 1024;
  int* const data = managed<int>(hirace::max_epoch * count);
  for (unsigned i = 0; i < launches; ++i) {
    launch("epochs", count / 256, 256, 0,
           [=] { hirace::write(1, data[element_of(blockIdx.x * blockDim.x + threadIdx.x, i, count)]) = static_cast<int>(i); });
  }
}

__global__ void rounds(int* data, unsigned count) {
  for (unsigned i = 0; i < launches; ++i) {
    hirace::write(1, data[element_of(blockIdx.x * blockDim.x + threadIdx.x, i, count)]) = static_cast<int>(i);
    hirace::group_sync(2, cooperative_groups::this_grid());
  }
}

// The same within one launch.
void grid_barriers() {
  unsigned count = 512;
  int* data = managed<int>(hirace::max_epoch * count);
  void* arguments[] = {&data, &count};
  CHECK(cudaLaunchCooperativeKernel(rounds, count / 32, 32, arguments) == cudaSuccess);
}

void races() {
  int* const data = managed<int>(1);
  for (unsigned i = 0; i < launches; ++i) {
    launch("races", 2, 1, 0, [=] { hirace::write(1, data[0]) = static_cast<int>(blockIdx.x); });
  }
}

// 16 bits for block and thread leave 7 for clocks, 5 of them for block barriers.
void barriers() {
  int* const data = managed<int>(1);
  launch("barriers", 2048, 32, 0, [=] {
    for (unsigned i = 0; i < 40; ++i) hirace::syncthreads(1);
    if (blockIdx.x == 0 && threadIdx.x == 0) hirace::write(2, data[0]) = 1;
  });
}

void blocks() {
  int* const data = managed<int>(1 << 18);
  launch("blocks", 1 << 18, 32, 0, [=] { hirace::write(1, data[0]) = 1; });
}

// The bits that a block of 1024 threads leaves for blocks and clocks suffice for 2048 blocks.
void threads() {
  constexpr unsigned count = 2048 * 1024;
  int* const data = managed<int>(count);
  launch("threads", 2048, 1024, 0, [=] { hirace::write(1, data[blockIdx.x * blockDim.x + threadIdx.x]) = 1; });
}

int main(int, char** argv) {
  static_assert(sizeof(hirace::Word) == 4);
  const std::map<std::string, std::function<void()>> all = {{"epochs", epochs}, {"grid_barriers", grid_barriers}, {"races", races},
                                                            {"barriers", barriers}, {"blocks", blocks}, {"threads", threads}};
  all.at(argv[1])();
}
