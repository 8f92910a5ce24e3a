// Operations that all threads of a block carry out together, for libraries such as CUB.
//
// A thread leaves what it brings on its stack and waits at the block's barrier; the last
// one to come works out what every thread takes. That barrier is one that accesses are
// ordered by. What the library would keep in shared memory is there as one marker per
// thread, which its thread writes before the barrier and another reads behind it, through
// checked accesses: memory that is used again without a barrier between is a race at the
// places of both calls.
#pragma once

#include <cstdint>

#include "../hooks/sync.h"
#include "../executor/scheduler/block.h"
#include "../executor/call_site.h"
#include "../executor/scheduler/scheduler.h"

namespace hirace::cpu {

// Shared memory of a collective operation of `count` threads.
template <int count>
struct Markers {
  std::uint32_t marker[static_cast<unsigned>(count)];
};

// What a thread brings. The types derived from it lie on the stacks of the waiting threads.
struct BlockData {
  const void* operation = nullptr;
  bool done = false;
};

// Out of line: an operation has many uses, and none of them is hot enough to repeat this.
__attribute__((noinline)) inline void mark(AccessKind kind, std::uint32_t* marker, SiteId site) {
  if (site != unchecked_site) hirace::detail::check_lvalue(site, *marker, kind, kind);
}

[[noreturn]] inline void fail_collective(const char* name, const char* why, std::uint32_t threads, SiteId site) {
  std::fprintf(stderr, "hirace: %s of %u threads %s\n", name, threads, why);
  fail(Fault::barrier_deadlock, site, 0);
}

constexpr const char* some_missing = "is not reached by all threads of the block: some have exited, or waited at another barrier";

// The address of one object for each type of data and combination: it tells operations apart.
template <class Data, class Combine>
inline constexpr char operation_tag = 0;

// The data of the threads of a block by their numbers; null where a thread brings none.
template <class Data>
struct Brought {
  Data* data[max_block_threads];
  std::uint32_t threads;  // how many bring something: they come first
  Data& operator[](std::uint32_t i) const { return *data[i]; }
};

// Who is here with the same operation. The current thread is the last to come.
template <class Data>
void gather(Block& block, const Data& own, Brought<Data>& brought, const char* name, std::uint32_t threads, SiteId site) {
  for (std::uint32_t i = 0; i < threads; ++i) brought.data[i] = nullptr;
  brought.threads = 0;
  for (std::uint32_t i = 0; i <= block.at_barrier->size(); ++i) {
    const Fiber& fiber = i < block.at_barrier->size() ? *block.at_barrier->at(i) : this_worker->fiber();
    auto* const data = static_cast<Data*>(static_cast<BlockData*>(fiber.brings));
    if (data == nullptr || data->operation != own.operation) {
      fail_collective(name, "is not reached by all threads of the block: some wait at another barrier", threads, site);
    }
    if (fiber.thread >= threads) fail_collective(name, "runs in a larger block", threads, site);
    brought.data[fiber.thread] = data;
    ++brought.threads;
  }
  for (std::uint32_t i = 0; i < brought.threads; ++i) {
    if (brought.data[i] == nullptr) fail_collective(name, some_missing, threads, site);
  }
}

// Has `combine` work on what `threads` threads bring, of which the first `needed` have to
// be there. `markers` may be null.
template <class Data, class Combine>
void combine_block(SiteId site, const char* name, std::uint32_t threads, std::uint32_t needed, std::uint32_t* markers, Data& data,
                   const Combine& combine) {
  Block& block = this_worker->block();
  Fiber& fiber = this_worker->fiber();
  const std::uint32_t thread = fiber.thread;
  if (thread >= threads) fail_collective(name, "runs in a larger block", threads, site);
  if (markers != nullptr) mark(AccessKind::write, &markers[thread], site);
  data.operation = &operation_tag<Data, Combine>;
  data.done = false;
  fiber.brings = static_cast<BlockData*>(&data);
  if (block.at_barrier->size() + 1 == block.alive) {
    Brought<Data> brought;
    gather(block, data, brought, name, threads, site);
    if (brought.threads < (needed < threads ? needed : threads)) {
      fail_collective(name, "runs with fewer threads: the block is smaller, or some have exited", threads, site);
    }
    combine(brought);
    for (std::uint32_t i = 0; i < brought.threads; ++i) brought[i].done = true;
  }
  syncthreads(site);
  this_worker->fiber().brings = nullptr;
  if (!data.done) fail_collective(name, some_missing, threads, site);
  if (markers != nullptr) mark(AccessKind::read, &markers[thread + 1 < threads ? thread + 1 : 0], site);
}

}  // namespace hirace::cpu
