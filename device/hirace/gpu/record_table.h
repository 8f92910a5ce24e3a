// Adding records in a kernel. All of this is rarely executed, and none of it is inline.
#pragma once

#include "site_word.h"

namespace hirace::gpu {

// same_race reads only these bytes, so a probe of the table loads no more.
constexpr unsigned identity_words = 4;
static_assert(offsetof(Record, not_modelled) + sizeof(Record::not_modelled) <= identity_words * sizeof(std::uint64_t), "the identity comes first");
constexpr unsigned record_words = sizeof(Record) / sizeof(std::uint64_t);

// Waits until the record in a slot is complete, and returns its first words.
inline __device__ Record load_identity(const Record* slot) {
  union {
    Record record;
    std::uint64_t words[record_words];
  } copy = {};
  const auto* words = reinterpret_cast<const std::uint64_t*>(slot);
  do {
    copy.words[0] = load_word(words);
  } while (copy.record.ready != record_complete);
  __threadfence();
  for (unsigned i = 1; i < identity_words; ++i) copy.words[i] = load_word(words + i);
  return copy.record;
}

// Writes all of a record to its slot and to the host's copy, and each `ready` last. The loops are left to the compiler,
// which unrolls them: ptxas 13.4 crashes on loops here if a kernel contains `setmaxnreg`.
inline __device__ void publish(std::uint32_t index, const Record& record) {
  DeviceState& state = *device_state;
  const auto* from = reinterpret_cast<const std::uint32_t*>(&record);
  for (Record* slot : {&state.records[index], &state.mirror[index]}) {
    auto* to = reinterpret_cast<volatile std::uint32_t*>(slot);
    for (unsigned i = 1; i < sizeof(Record) / sizeof(std::uint32_t); ++i) to[i] = from[i];
    __threadfence_system();
    to[0] = record_complete;
  }
  ::atomicAdd(&state.record_count, 1u);
}

struct SpreadAtomics {
  static __device__ void set(std::uint32_t& bits, std::uint32_t bit) { ::atomicOr(&bits, bit); }
  static __device__ void raise(std::uint64_t& number, std::uint64_t least) {
    ::atomicMax(reinterpret_cast<Counter*>(&number), Counter{least});
  }
};

// Adds a record, or counts another occurrence of an existing one. A new one is also copied to the
// host at once, in case the device is lost.
inline __device__ __noinline__ void add_record(const Record& record) {
  DeviceState& state = *device_state;
  ::atomicAdd(&state.occurrences, Counter{1});
  const std::uint32_t capacity = state.record_capacity;
  std::uint32_t index = race_hash(record) % capacity;
#pragma unroll 1
  for (std::uint32_t probe = 0; probe < capacity; ++probe) {
    Record* slot = &state.records[index];
    const bool first = *static_cast<volatile std::uint32_t*>(&slot->ready) == record_free &&
                       ::atomicCAS(&slot->ready, record_free, record_being_written) == record_free;
    if (first) publish(index, record);
    if (first || same_race(load_identity(slot), record)) {
      if (!first) ::atomicAdd(reinterpret_cast<Counter*>(&slot->count), Counter{1});
      hirace::note_spread<SpreadAtomics>(state.spreads[index], record);
      return;
    }
    index = index + 1 < capacity ? index + 1 : 0;
  }
  ::atomicAdd(&state.dropped, Counter{1});
}

template <class Number>
__device__ __forceinline__ Coordinates coordinates(Number linear, const dim3& dimensions) {
  const Number rows = linear / dimensions.x;
  return {static_cast<std::uint32_t>(linear - rows * dimensions.x), static_cast<std::uint32_t>(rows % dimensions.y),
          static_cast<std::uint32_t>(rows / dimensions.y)};
}

// An access packed into one argument: each argument of a call costs the caller registers.
struct PackedAccess {
  std::uint32_t kind_and_size;

  __device__ __forceinline__ PackedAccess(AccessKind kind, std::size_t size)
      : kind_and_size((static_cast<std::uint32_t>(kind) << size_bits) | static_cast<std::uint32_t>(size < max_size ? size : max_size)) {}
  __device__ __forceinline__ AccessKind kind() const { return static_cast<AccessKind>(kind_and_size >> size_bits); }
  __device__ __forceinline__ std::uint32_t size() const { return kind_and_size & max_size; }

 private:
  static constexpr unsigned size_bits = 28;
  static constexpr std::uint32_t max_size = (std::uint32_t{1} << size_bits) - 1;
};

// A race of the calling thread's access, taken from words of either layout.
struct Race {
  std::uint64_t address;
  PackedAccess access;
  SiteId site;
  Space space;
  RaceScope relation;
  std::uint16_t transition;
  Prior prior;
};

// One function for both layouts: it is the longer part of recording a race.
inline __device__ __noinline__ void record_race_of(const Race& race) {
  Record record{};
  record.type = RecordType::race;
  record.space = race.space;
  record.relation = race.relation;
  // A fence is announced before it is executed, so any thread that it orders sees it here.
  record.not_modelled = *static_cast<volatile std::uint32_t*>(&device_state->launch.not_modelled);
  if (record.relation != RaceScope::warp) record.not_modelled &= ~std::uint32_t{partial_warp_barrier};
  record.kernel = device_state->launch.kernel;
  record.site_current = race.site;
  record.current_access = race.access.kind();
  record.current_size = static_cast<std::uint8_t>(min(race.access.size(), 255u));
  record.current_block = {blockIdx.x, blockIdx.y, blockIdx.z};
  record.current_thread = {threadIdx.x, threadIdx.y, threadIdx.z};
  record.block_dim = {blockDim.x, blockDim.y, blockDim.z};
  record.warp_size = warp_lanes;
  record.grid_dim = {gridDim.x, static_cast<std::uint16_t>(gridDim.y), static_cast<std::uint16_t>(gridDim.z)};
  record.transition = race.transition;
  record.address = race.address;
  record.count = 1;
  if (sites_enabled) {
    record.prior_known = race.prior.known;
    record.site_prior = race.prior.site;
    record.prior_access = race.prior.kind;
    if (race.prior.known == PriorKnown::site_and_thread) {
      record.prior_block = coordinates(race.prior.block, gridDim);
      record.prior_thread = coordinates(race.prior.thread, blockDim);
    }
  }
  add_record(record);
}

// Records a race of the calling thread's access with the one that `word` and its site word describe.
template <class Layout>
__device__ __noinline__ void record_race(std::uintptr_t address, PackedAccess access, SiteId site, typename Layout::Word word,
                                         SiteWord site_word, typename Layout::Word me) {
  Race race{address, access, site, Layout::of_block ? Space::shared : Space::global, race_scope<Layout>(word, me),
            static_cast<std::uint16_t>(transition_index(Layout{}, word, me, folded(access.kind()))), {}};
  if (Layout::of_block) race.address = __cvta_generic_to_shared(reinterpret_cast<const void*>(address));
  if (sites_enabled) race.prior = racing_prior<Layout>(word, site_word, me, access.kind());
  record_race_of(race);
}

// A construct that the machine does not follow was executed. One lane reports it for the lanes
// converged with it.
inline __device__ __noinline__ void record_not_modelled(SiteId site, std::uint32_t constructs) {
  if (!has_context()) return;
  const std::uint32_t lane = linear_thread() % warp_lanes;
  if ((__activemask() & ((std::uint32_t{1} << lane) - 1)) != 0) return;
  std::uint32_t* known = &device_state->launch.not_modelled;
  if ((*static_cast<volatile std::uint32_t*>(known) & constructs) != constructs) ::atomicOr(known, constructs);
  if (site == unknown_site) return;
  Record record{};
  record.type = RecordType::not_modelled;
  record.kernel = device_state->launch.kernel;
  record.site_current = site;
  record.not_modelled = constructs;
  record.count = 1;
  add_record(record);
}

// The same for a function that may also be compiled for the host.
HIRACE_HOOK void record_construct(SiteId site, std::uint32_t constructs) {
#ifdef __CUDA_ARCH__
  record_not_modelled(site, constructs);
#else
  static_cast<void>(site);
  static_cast<void>(constructs);
#endif
}

}  // namespace hirace::gpu
