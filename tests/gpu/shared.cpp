// Shared memory has its own words, without launch and block and with only a part of the block
// clock: they are cleared when a block begins, when that part wraps around, and at a grid barrier.
// Their place, next to the arrays or in slots, makes no other difference.
//
//! run races -> 0
//! run blocks -> 0
//! run bytes -> 0
//! run barriers -> 0
//! run between_barriers -> 0
//! run ends -> 0
//! run HIRACE_SHARED_WORDS=slots races -> 0
//! run HIRACE_SHARED_WORDS=slots blocks -> 0
//! run HIRACE_SHARED_WORDS=slots bytes -> 0
//! run HIRACE_SHARED_WORDS=slots barriers -> 0
//! run HIRACE_SHARED_WORDS=slots between_barriers -> 0
//! run HIRACE_SHARED_WORDS=slots ends -> 0
//! run room -> 0
//! run refused -> 0
//! run asks -> 0
//! run HIRACE_SHARED_WORDS=half races -> 2: HIRACE_SHARED_WORDS is `half`
#include "check.h"

namespace {

constexpr unsigned threads = 40;
// One more than the block clocks that a word of shared memory distinguishes.
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

void launch_shared(CUkern_st& kernel, unsigned block, std::size_t dynamic) {
  void* no_arguments[] = {nullptr};
  hirace::begin_launch({"shape", 1, true, hirace::monitor_both, 0, ~0u}),
      __cudaLaunchKernel(&kernel, 2, block, no_arguments, dynamic, nullptr);
  EXPECT(gpu::cudaDeviceSynchronize() == cudaSuccess && cudaPeekAtLastError() == cudaSuccess);
}

// A kernel with shared memory of its own.
struct Shape {
  std::size_t fixed, dynamic;  // bytes
  unsigned block = threads;
  std::size_t allowed = made_up::shared_bytes;  // of dynamic memory

  // Whether words are next to its arrays. They are used from end to end, by each block twice.
  bool beside(bool racy = false) const {
    bool found = false;
    CUkern_st kernel{{},
                     [&](void**) {
                       hirace::KernelScope scope;
                       if (threadIdx.x != 0) return;
                       found = gpu::is_shared(gpu::block_context().shared_words);
                       for (std::size_t i = 0; i < (fixed + dynamic) / 4; ++i) write(1, shared[i]) = static_cast<int>(i);
                       for (std::size_t i = 0; i < (fixed + dynamic) / 4; ++i) EXPECT(read(2, shared[i]) == static_cast<int>(i));
                       if (racy) as_thread(1, [] { write(3, shared[0]) = 2; });
                       threadIdx.x = 0;
                     },
                     fixed,
                     allowed};
    const std::uint64_t before = races(), checked = header().accesses;
    launch_shared(kernel, block, dynamic);
    EXPECT(races() == before + (racy ? 2 : 0));
    EXPECT(header().accesses == checked + (fixed + dynamic) / 4 * 4 + (racy ? 2 : 0));
    // The program's limit for the kernel is unchanged.
    EXPECT(kernel.dynamic_allowed == allowed);
    return found;
  }
};

void check_room() {
  EXPECT((Shape{6 << 10, 0}.beside()) && (Shape{6 << 10, 1 << 10}.beside()));
  // Sizes that are not multiples of a word.
  EXPECT((Shape{6 << 10, 1022}.beside()));
  // More than 48 KiB, and more than the device has.
  EXPECT((Shape{6 << 10, 50 << 10, 1024, 60 << 10}.beside()));
  EXPECT(!(Shape{6 << 10, 120 << 10, 1024, 120 << 10}.beside()));
  // As many blocks at the same time as before: 2 by their threads, then 16, then 11.
  EXPECT((Shape{20 << 10, 0, 1024}.beside()));
  EXPECT((Shape{7 << 10, 0}.beside()));
  EXPECT(!(Shape{20 << 10, 0}.beside()));
}

// A kernel without shared memory has no words to clear.
bool has_words(std::size_t fixed, std::size_t dynamic) {
  bool found = false;
  CUkern_st kernel{{},
                   [&](void**) {
                     hirace::KernelScope scope;
                     found = gpu::checks_shared();
                   },
                   fixed};
  launch_shared(kernel, threads, dynamic);
  return found;
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
    // Bytes of a granule have their own words, which the next block does not see.
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
    // Clearing loses no access that could still race.
    EXPECT(races_of([] {
             for (unsigned i = 0; i < clocks; ++i) block_barrier();
             as_thread(0, write_first);
             as_thread(1, write_first);
           }) == 2);
  } else if (what == "ends") {
    const bool slots = std::getenv("HIRACE_SHARED_WORDS") != nullptr;
    EXPECT((Shape{6 << 10, 1 << 10}.beside()) == !slots && (Shape{6 << 10, 1 << 10}.beside(true)) == !slots);
  } else if (what == "room") {
    check_room();
    const std::size_t ours = sizeof(gpu::BlockContext);
    EXPECT(!has_words(ours, 0) && has_words(ours + 4, 0) && has_words(ours, 4));
  } else if (what == "asks") {
    // A program that may query the size gets the size that it requested.
    const gpu::SharedSizeUse use;
    EXPECT(!(Shape{6 << 10, 1 << 10}.beside(true)));
  } else if (what == "refused") {
    // A launch that fails because of the added memory is repeated with the program's own size.
    made_up::machine().refuses_shared_above = 4 << 10;
    EXPECT(!(Shape{6 << 10, 1 << 10}.beside(true)));
    made_up::machine().refuses_shared_above = ~std::size_t{0};
    EXPECT((Shape{6 << 10, 1 << 10}.beside(true)));
  }
  return 0;
}
