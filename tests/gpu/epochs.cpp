// Launches are ordered, however many there are: the words that they leave are cleared when their
// numbers wrap around, in the window and behind the page table.
//
//! run window -> 0
//! run table -> 0
//! run HIRACE_SHADOW=cached cached -> 0
//! run in_kernel -> 0
//! run HIRACE_SHADOW=cached in_kernel -> 0
#include "check.h"

namespace {

int symbol;
const gpu::DeviceSymbol symbol_monitor{[](auto monitor) { monitor(symbol); }};

hirace::Word word_of(const void* pointer) {
  gpu::Cell<gpu::GlobalLayout> cell;
  EXPECT(gpu::find_cell(reinterpret_cast<std::uintptr_t>(pointer), cell));
  return *cell.word;
}

}  // namespace

int main(int, char** arguments) {
  const std::string what = arguments[1];
  made_up::machine().has_virtual_memory = what != "table";
  int* memory = nullptr;
  EXPECT(gpu::cudaMalloc(&memory, 4096) == cudaSuccess);
  if (what == "in_kernel") {
    // A grid barrier does this when epochs wrap around.
    launch("clears", 1, 1, [&] {
      int* const places[] = {memory, &symbol};
      for (int* place : places) {
        write(1, *place) = 1;
        EXPECT(word_of(place) != 0);
      }
      gpu::clear_shadow();
      for (int* place : places) EXPECT(word_of(place) == 0);
    });
    return 0;
  }
  // In each of 1000 launches, another block writes one of as many locations as there are epochs:
  // the word there is from the earlier launch with the same number.
  const unsigned blocks = 6, places = what == "cached" ? gpu::max_cached_epoch : hirace::max_epoch;
  for (unsigned i = 0; i < 1000; ++i) {
    launch("writes", blocks, 1, [&] {
      if (blockIdx.x == i % blocks) write(1, memory[i % places]) = 1;
      if (blockIdx.x == i % blocks) write(2, symbol) = 1;
    });
  }
  launch("last", 1, 1, [] {});
  EXPECT(header().limits == (what == "cached" ? unsigned{hirace::shadow_cached} : 0u));
  EXPECT(header().accesses == 2000 && header().outside == 0 && races() == 0);
  return 0;
}
