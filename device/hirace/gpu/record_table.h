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

// Writes all of a record, and its `ready` last.
inline __device__ void publish(Record* slot, const Record& record) {
  const auto* from = reinterpret_cast<const std::uint32_t*>(&record);
  auto* to = reinterpret_cast<volatile std::uint32_t*>(slot);
  for (unsigned i = 1; i < sizeof(Record) / sizeof(std::uint32_t); ++i) to[i] = from[i];
  __threadfence_system();
  to[0] = record_complete;
}

struct SpreadAtomics {
  static __device__ void set(std::uint32_t& bits, std::uint32_t bit) { ::atomicOr(&bits, bit); }
  static __device__ void raise(std::uint64_t& number, std::uint64_t least) {
    ::atomicMax(reinterpret_cast<Counter*>(&number), Counter{least});
  }
};

inline __device__ void note_spread(std::uint32_t index, const Record& record) {
  hirace::note_spread<SpreadAtomics>(device_state->spreads[index], record);
}

// Adds a record, or counts another occurrence of an existing one. A new one is also copied to the
// host at once, in case the device is lost.
inline __device__ __noinline__ void add_record(const Record& record) {
  DeviceState& state = *device_state;
  ::atomicAdd(&state.occurrences, Counter{1});
  const std::uint32_t capacity = state.record_capacity;
  const std::uint32_t start = race_hash(record) % capacity;
  for (std::uint32_t probe = 0; probe < capacity; ++probe) {
    const std::uint32_t index = (start + probe) % capacity;
    Record* slot = &state.records[index];
    if (*static_cast<volatile std::uint32_t*>(&slot->ready) == record_free &&
        ::atomicCAS(&slot->ready, record_free, record_being_written) == record_free) {
      publish(slot, record);
      publish(&state.mirror[index], record);
      ::atomicAdd(&state.record_count, 1u);
      note_spread(index, record);
      return;
    }
    if (same_race(load_identity(slot), record)) {
      ::atomicAdd(reinterpret_cast<Counter*>(&slot->count), Counter{1});
      note_spread(index, record);
      return;
    }
  }
  ::atomicAdd(&state.dropped, Counter{1});
}

__device__ __forceinline__ Coordinates coordinates(std::uint64_t linear, const dim3& dimensions) {
  return {static_cast<std::uint32_t>(linear % dimensions.x), static_cast<std::uint32_t>(linear / dimensions.x % dimensions.y),
          static_cast<std::uint32_t>(linear / dimensions.x / dimensions.y)};
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

// Records a race of the calling thread's access with the one that `word` and its site word describe.
template <class Layout>
__device__ __noinline__ void record_race(std::uintptr_t address, PackedAccess access, SiteId site, typename Layout::Word word,
                                         SiteWord site_word, typename Layout::Word me) {
  Record record{};
  record.type = RecordType::race;
  record.space = Layout::of_block ? Space::shared : Space::global;
  record.relation = race_scope<Layout>(word, me);
  // A fence is announced before it is executed, so any thread that it orders sees it here.
  record.not_modelled = *static_cast<volatile std::uint32_t*>(&device_state->launch.not_modelled);
  if (record.relation != RaceScope::warp) record.not_modelled &= ~std::uint32_t{partial_warp_barrier};
  record.kernel = device_state->launch.kernel;
  record.site_current = site;
  record.current_access = access.kind();
  record.current_size = static_cast<std::uint8_t>(min(access.size(), 255u));
  record.current_block = {blockIdx.x, blockIdx.y, blockIdx.z};
  record.current_thread = {threadIdx.x, threadIdx.y, threadIdx.z};
  record.block_dim = {blockDim.x, blockDim.y, blockDim.z};
  record.warp_size = warp_lanes;
  record.grid_dim = {gridDim.x, static_cast<std::uint16_t>(gridDim.y), static_cast<std::uint16_t>(gridDim.z)};
  record.transition = static_cast<std::uint16_t>(transition_index(Layout{}, word, me, folded(access.kind())));
  record.address = Layout::of_block ? __cvta_generic_to_shared(reinterpret_cast<const void*>(address)) : address;
  record.count = 1;
  if (sites_enabled) {
    const Prior prior = racing_prior<Layout>(word, site_word, me, access.kind());
    record.prior_known = prior.known;
    record.site_prior = prior.site;
    record.prior_access = prior.kind;
    if (prior.known == PriorKnown::site_and_thread) {
      record.prior_block = coordinates(prior.block, gridDim);
      record.prior_thread = coordinates(prior.thread, blockDim);
    }
  }
  add_record(record);
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
