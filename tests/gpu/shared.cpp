// Shared memory has words of its own, which name neither launch nor block and only a part of
// the block clock: they are cleared when a block begins, when that part comes round, and at a
// barrier of the grid.
//
//! run races -> 0
//! run blocks -> 0
//! run bytes -> 0
//! run barriers -> 0
//! run between_barriers -> 0
#include "check.h"

namespace {

constexpr unsigned threads = 40;
// One more than the block clocks that a word of shared memory tells apart.
constexpr unsigned clocks = (gpu::SharedLayout::block_clock_field >> gpu::SharedLayout::block_clock_shift) + 1;

int* const shared = reinterpret_cast<int*>(made_up::shared_memory);

// All threads of the running block pass it, one after the other.
void block_barrier() {
  for (threadIdx.x = 0; threadIdx.x < threads; ++threadIdx.x) gpu::pass_block_barrier();
}

void as_thread(unsigned thread, void (*access)()) {
  threadIdx.x = thread;
  access();
}

void write_first() { write(1, shared[0]) = 1; }

std::uint64_t races_of(void (*block)()) {
  launch("block", 2, threads, [&] {
    if (threadIdx.x != 0) return;
    block();
    threadIdx.x = 0;
  });
  launch("last", 1, 1, [] {});
  return races();
}

}  // namespace

int main(int, char** arguments) {
  const std::string what = arguments[1];
  if (what == "races") {
    // Two threads of each of two blocks.
    EXPECT(races_of([] { as_thread(0, write_first), as_thread(39, write_first); }) == 2);
    const hirace::Record* record = gpu::recorder().records();
    while (record->ready != 2) ++record;
    EXPECT(record->space == hirace::Space::shared && record->relation == hirace::RaceScope::block);
    EXPECT(record->prior_known == hirace::PriorKnown::site_and_thread && record->prior_thread.x == 0);
    EXPECT(record->prior_block.x == record->current_block.x && record->site_prior == 1 && record->current_thread.x == 39);
  } else if (what == "blocks") {
    // Each block leaves its slot to the next one.
    for (unsigned i = 0; i < 3; ++i) EXPECT(races_of([] { as_thread(blockIdx.x, write_first); }) == 0);
  } else if (what == "bytes") {
    // Bytes of a granule have words of their own, which the next block does not see.
    EXPECT(races_of([] {
             for (threadIdx.x = 0; threadIdx.x < 4; ++threadIdx.x) {
               gpu::check_any(reinterpret_cast<std::uintptr_t>(shared) + (threadIdx.x + blockIdx.x) % 4,
                              gpu::PackedAccess(AccessKind::write, 1), 1);
             }
           }) == 0);
  } else if (what == "barriers") {
    EXPECT(races_of([] {
             as_thread(0, write_first);
             for (unsigned i = 0; i < clocks; ++i) block_barrier();
             as_thread(1, write_first);
           }) == 0);
  } else if (what == "between_barriers") {
    // Clearing forgets nothing that is not covered.
    EXPECT(races_of([] {
             for (unsigned i = 0; i < clocks; ++i) block_barrier();
             as_thread(0, write_first);
             as_thread(1, write_first);
           }) == 2);
  }
  return 0;
}
