// Work in streams other than launches: copies, fills, and functions of libraries.
//
// Its accesses are compared with those of launches and other work that a GPU may overlap with it
// (check/launch_accesses.h), as the accesses of a launch are.
#pragma once

#include <mutex>

#include "../check/race_record.h"
#include "../call_site.h"
#include "host_call.h"
#include "stream_work.h"

namespace hirace::cpu {

class RunningCall {
 public:
  // Begins in a stream, or in the current node of a running graph.
  RunningCall(const Call& call, cudaStream_t stream, WorkKind work = WorkKind::call) : call_(call) {
    if (monitor.in_kernel) recorder().limit(current_launch.kernel, copies_by_kernels);
    // A function that a library calls is part of its work.
    if (monitor.in_kernel || running != nullptr) return;
    lock_ = std::unique_lock(launches_and_calls);
    running = this;
    recorder().count_call();
    watched_ = place_in_order(stream, no_kernel, work);
    if (watched_ == 0) return;
    kernel_ = recorder().kernel(call.name);
    stream_order().name(watched_, kernel_);
    if (!launch_accesses().begin()) {
      watched_ = 0;
      recorder().limit(kernel_, streams_in_order);
      return;
    }
    call_is_watched = true;
  }
  ~RunningCall() {
    if (running != this) return;
    running = nullptr;
    call_is_watched = false;
  }
  RunningCall(const RunningCall&) = delete;
  RunningCall& operator=(const RunningCall&) = delete;

  SiteId site() const { return call_.site; }

  // The call that the calling host thread is in; null if there is none.
  static RunningCall* current() { return running; }

  void reads(const volatile void* memory, std::size_t bytes) { accesses(memory, bytes, AccessKind::read, call_.site); }
  void writes(const volatile void* memory, std::size_t bytes) { accesses(memory, bytes, AccessKind::write, call_.site); }

  // Memory that exists from now on, or no longer: everything that is not ordered with that is a race.
  void allocates(const void* memory, std::size_t bytes) {
    if (watched_ == 0) return;
    const auto begin = reinterpret_cast<std::uintptr_t>(memory);
    stream_allocations().add(begin, {begin + bytes, watched_, call_.site});
  }
  void releases(const void* memory, std::size_t bytes) {
    const auto begin = reinterpret_cast<std::uintptr_t>(memory);
    if (watched_ != 0) {
      launch_accesses().each_touched(begin, bytes, [&](std::uintptr_t at, std::size_t count) {
        accesses(reinterpret_cast<const void*>(at), count, AccessKind::write, call_.site);
      });
    }
    stream_allocations().remove(begin);
  }

  // An access to device memory; other memory has no shadow. Without a site, it is at that of the call.
  void accesses(const volatile void* memory, std::size_t bytes, AccessKind kind, SiteId site) {
    if (watched_ == 0 || bytes == 0) return;
    if (site == unknown_site) site = call_.site;
    const auto begin = reinterpret_cast<std::uintptr_t>(memory), end = begin + bytes;
    const bool in_arena = arena().contains(begin);
    const std::size_t skip = begin % granule_bytes;
    Granule granule = in_arena ? (begin - arena().base()) / granule_bytes : shadow_memory().granule_outside(begin);
    if (granule == ShadowMemory::no_granule) return;
    for (std::uintptr_t at = begin - skip; at < end; at += granule_bytes, ++granule) {
      const std::size_t first = at < begin ? skip : 0, last = end - at < granule_bytes ? end - at : granule_bytes;
      if (granule % granules_between_looks == 0 && memory_is_low()) return recorder().limit(kernel_, memory_used_up);
      const unsigned touched = ((1u << last) - 1) & ~((1u << first) - 1);
      const LaunchAccess racing = launch_accesses().add(granule, LaunchAccess(watched_, touched, kind, site & site_mask));
      if (racing.launch() != 0) record(racing, kind, site, at + first);
    }
  }

 private:
  static constexpr Granule granules_between_looks = 4096;

  // The locations of one race with one earlier access are one occurrence.
  void record(const LaunchAccess& prior, AccessKind kind, SiteId site, std::uintptr_t address) {
    Record record{};
    record.type = RecordType::race;
    record.space = Space::global;
    record.kernel = kernel_;
    record.site_current = site;
    record.current_access = kind;
    record.address = address;
    record.facts = other_values;
    describe_launch_race(record, watched_, 0, prior);
    if (last_ != nullptr && same_race(*last_, record)) return recorder().note_location(last_, record);
    last_ = recorder().add(record, [&](Whereabouts& where) {
      describe_object(where, address);
      describe_prior(where, stream_order()[prior.launch()]);
    });
    if (record.not_modelled == 0) halt_if_asked();
  }

  const Call call_;
  std::unique_lock<std::recursive_mutex> lock_;
  std::uint32_t watched_ = 0, kernel_ = 0;
  const Record* last_ = nullptr;
  static inline thread_local RunningCall* running = nullptr;
};

// Notes the access of a copy or a fill, for the host.
inline void note_transfer(const void* memory, std::size_t bytes, AccessKind kind) {
  if (TransferInStream::current == nullptr || RunningCall::current() == nullptr || !watches_host() || !host_memory().contains(memory)) return;
  const SiteId site = RunningCall::current()->site();
  host_transfers().add({reinterpret_cast<std::uintptr_t>(memory), bytes, kind, TransferInStream::current->number(), site});
}

HIRACE_COLD HIRACE_RUNTIME void note_access_of_call(const volatile void* memory, std::size_t bytes, AccessKind kind, SiteId site) {
  if (site != unchecked_site) RunningCall::current()->accesses(memory, bytes, kind, site);
}

// What a function does in a stream, now or as a node of a graph.
template <class Function>
struct WorkOfCall {
  Call call;
  cudaStream_t stream;
  Function run;

  cudaError_t operator()() const {
    const RunningCall running(call, stream);
    return run();
  }
};

template <class Function>
WorkOfCall<Function> work_of(const Call& call, cudaStream_t stream, const Function& run) {
  return {call, stream, run};
}

}  // namespace hirace::cpu
