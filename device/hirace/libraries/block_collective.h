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

#include "../executor/call_site.h"
#include "../hooks/sync.h"

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

// A checked access of a marker.
void mark(AccessKind kind, std::uint32_t* marker, SiteId site);

// The address of one object for each type of data and combination: it tells operations apart.
template <class Data, class Combine>
inline constexpr char operation_tag = 0;

// The data of the threads of a block by their numbers.
template <class Data>
struct Brought {
  BlockData* const* data;
  std::uint32_t threads;  // how many bring something: they come first
  Data& operator[](std::uint32_t i) const { return *static_cast<Data*>(data[i]); }
};

// What the last thread to come does for all.
struct BlockOperationPlan {
  const char* name;
  std::uint32_t threads, needed;  // of which the first `needed` have to be there
  const void* combine;
  void (*run)(const void* combine, BlockData* const* data, std::uint32_t threads);
};

// The running thread takes part in an operation of its block. `markers` may be null.
void join_block_operation(SiteId site, const BlockOperationPlan& plan, std::uint32_t* markers, BlockData& data);

// Has `combine` work on what `threads` threads bring, of which the first `needed` have to
// be there.
template <class Data, class Combine>
void combine_block(SiteId site, const char* name, std::uint32_t threads, std::uint32_t needed, std::uint32_t* markers, Data& data,
                   const Combine& combine) {
  data.operation = &operation_tag<Data, Combine>;
  const auto run = [](const void* combination, BlockData* const* brought, std::uint32_t count) {
    Brought<Data> all{brought, count};
    (*static_cast<const Combine*>(combination))(all);
  };
  join_block_operation(site, {name, threads, needed, &combine, run}, markers, data);
}

}  // namespace hirace::cpu
