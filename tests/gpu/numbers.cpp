// Blocks and threads with numbers that words of global memory cannot store are not checked there,
// and the run names them. Words of shared memory can store every thread.
//
//! run blocks -> 0
//! run threads -> 0
//! run fits -> 0
#define HIRACE_BLOCK_BITS 2
#define HIRACE_THREAD_BITS 5
#include "check.h"

namespace {

constexpr unsigned named_blocks = 4, named_threads = 32;

int* memory() {
  static int* const allocated = [] {
    int* made = nullptr;
    gpu::cudaMalloc(&made, 4096);
    return made;
  }();
  return allocated;
}

// Races where every thread writes `target(linear number of block, thread)`.
template <class Target>
std::uint64_t races_of(unsigned blocks, unsigned threads, const Target& target) {
  memory();
  const std::uint64_t before = races();
  launch("writes", blocks, threads, [&] {
    int& place = target(blockIdx.x, threadIdx.x);
    write(1, place) = 1;
  });
  launch("last", 1, 1, [] {});
  return races() - before;
}

const hirace::KernelEntry& writes() { return gpu::recorder().kernel(gpu::recorder().kernel_number("writes")); }

int& shared(unsigned i) { return reinterpret_cast<int*>(made_up::shared_memory)[i]; }

}  // namespace

int main(int, char** arguments) {
  const std::string what = arguments[1];
  if (what == "blocks") {
    // Blocks whose number fits race.
    EXPECT(races_of(8, 1, [](unsigned, unsigned) -> int& { return memory()[0]; }) == named_blocks - 1);
    // Blocks whose numbers have the same low bits are not confused.
    EXPECT(races_of(8, 1, [](unsigned block, unsigned) -> int& { return memory()[(block + 3) % 8]; }) == 0);
    EXPECT(races_of(8, 1, [](unsigned block, unsigned) -> int& { return memory()[block % named_blocks]; }) == 0);
    EXPECT(writes().limits == hirace::blocks_without_number && header().limits == hirace::blocks_without_number);
    EXPECT(writes().block_bits == 2 && writes().thread_bits == 0 && header().unmonitored_launches == 0);
    // Threads of one block, whichever it is, race in its shared memory.
    EXPECT(races_of(8, 2, [](unsigned, unsigned) -> int& { return shared(0); }) == 8);
  } else if (what == "threads") {
    EXPECT(races_of(1, 40, [](unsigned, unsigned) -> int& { return memory()[0]; }) == named_threads - 1);
    EXPECT(races_of(1, 40, [](unsigned, unsigned thread) -> int& { return memory()[(thread + 8) % 40]; }) == 0);
    EXPECT(races_of(1, 40, [](unsigned, unsigned thread) -> int& { return memory()[thread % named_threads]; }) == 0);
    EXPECT(writes().limits == hirace::threads_without_number && writes().thread_bits == 5 && writes().block_bits == 0);
    EXPECT(races_of(1, 40, [](unsigned, unsigned thread) -> int& { return shared(thread < named_threads ? thread + 1 : 0); }) == 7);
  } else if (what == "fits") {
    EXPECT(races_of(named_blocks, named_threads, [](unsigned block, unsigned) -> int& { return memory()[block]; }) ==
           named_blocks * (named_threads - 1));
    EXPECT(header().limits == 0);
  }
  return 0;
}
