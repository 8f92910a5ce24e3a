// Operations that all threads of a block perform together, for libraries such as CUB.
//
// A thread leaves its operand on its stack and waits at the block's barrier; the last one to arrive computes
// every thread's result. That barrier orders accesses. The library's shared storage is represented by one
// marker per thread, which its thread writes before the barrier and another thread reads after it, through
// checked accesses: storage that is reused without a barrier in between is a race at the sites of both calls.
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

// A thread's operand. The derived types are on the stacks of the waiting threads.
struct BlockData {
  const void* operation = nullptr;
  bool done = false;
};

// A checked access of a marker.
void mark(AccessKind kind, std::uint32_t* marker, SiteId site);

// The address of one object per type of data and combination: it identifies an operation.
template <class Data, class Combine>
inline constexpr char operation_tag = 0;

// The operands of the threads of a block, by thread number.
template <class Data>
struct Operands {
  BlockData* const* data;
  std::uint32_t threads;  // the number of operands, from the first threads on
  Data& operator[](std::uint32_t i) const { return *static_cast<Data*>(data[i]); }
};

// The work that the last thread to arrive does for all.
struct BlockOperationPlan {
  const char* name;
  std::uint32_t threads, needed;  // of which the first `needed` must participate
  const void* combine;
  void (*run)(const void* combine, BlockData* const* data, std::uint32_t threads);
};

// The running thread joins an operation of its block. `markers` may be null.
void join_block_operation(SiteId site, const BlockOperationPlan& plan, std::uint32_t* markers, BlockData& data);

// Applies `combine` to the operands of `threads` threads, of which the first `needed` must participate.
template <class Data, class Combine>
void combine_block(SiteId site, const char* name, std::uint32_t threads, std::uint32_t needed, std::uint32_t* markers, Data& data,
                   const Combine& combine) {
  data.operation = &operation_tag<Data, Combine>;
  const auto run = [](const void* combination, BlockData* const* operands, std::uint32_t count) {
    Operands<Data> all{operands, count};
    (*static_cast<const Combine*>(combination))(all);
  };
  join_block_operation(site, {name, threads, needed, &combine, run}, markers, data);
}

}  // namespace hirace::cpu
