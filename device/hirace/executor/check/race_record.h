// The record of a race: the two accesses, as far as they are known.
#pragma once

#include "../../records/site_table.h"
#include "whereabouts.h"

namespace hirace::cpu {

struct AccessInfo {
  AccessKind kind;
  SiteId site;
  std::uintptr_t address;
  std::uint8_t size;
};

// The races of one access that have been reported. Its granules may race with accesses at several
// sites, each of which is a pair of its own; granules that race with accesses at one site are one.
class ReportedRaces {
 public:
  // Whether no race with an access at this site has been reported; notes that one will be. `of_launch`:
  // the other access is in another launch.
  bool is_first(SiteId prior, bool of_launch = false) {
    // An access that is not known is most likely one of those that are.
    if (prior == unknown_site && count_ != 0) return false;
    const SiteId key = (prior & site_mask) | (of_launch ? launch_flag : 0);
    for (unsigned i = 0; i < count_; ++i) {
      if (priors_[i] == key) return false;
    }
    // Beyond that, the records merge pairs that are equal.
    if (count_ < capacity) priors_[count_++] = key;
    return true;
  }

  bool fault = false;  // a fault of the access has been, too

 private:
  static constexpr unsigned capacity = 16;
  static constexpr SiteId launch_flag = site_mask + 1;

  SiteId priors_[capacity];
  unsigned count_ = 0;
};

// The access that a word describes; empty if the word forgot its thread.
inline Witness recorded_access(Word word, SiteId site) {
  const Layout& layout = current_launch.layout;
  const unsigned state = state_of(word);
  if (layout.keep[0][state] != layout.keep[0][static_cast<unsigned>(State::write)]) return {};
  // Of the states before the first one with atomics, all but one end with a read.
  const AccessKind kind = state == static_cast<unsigned>(State::batom)     ? AccessKind::block_atomic
                          : state >= static_cast<unsigned>(State::batom_b) ? AccessKind::device_atomic
                          : state == static_cast<unsigned>(State::write)   ? AccessKind::write
                                                                           : AccessKind::read;
  return {word & ~state_field & ~strong_flag, site, kind, 0, 0};
}

// What might have ordered two accesses: a fence in a flag or lock protocol, or a barrier of some lanes, which
// can only order lanes. Both can only order what came before them with what comes after. So constructs that
// the block (between two blocks: any block) has not executed yet do not count.
inline std::uint32_t might_order(RaceScope scope) {
  switch (scope) {
    case RaceScope::warp: return *monitor.not_modelled;
    case RaceScope::block: return *monitor.not_modelled & ~std::uint32_t{partial_warp_barrier};
    case RaceScope::grid:
    case RaceScope::launch:
    case RaceScope::host:
      return __atomic_load_n(&current_launch.not_modelled, __ATOMIC_RELAXED) & ~std::uint32_t{partial_warp_barrier};
  }
  return 0;
}

// An address that is the same in every block and in every process: each block has a shared variable
// at a different address, and address space randomisation moves the variables of the program and registered
// memory.
inline std::uint64_t stable_address(std::uintptr_t address) {
  if (in_shared_memory(address)) return address - shared_layout().slot_of(address);
  if (arena().contains(address)) return address;
  const Granule granule = shadow_memory().granule_outside(address);
  return granule == ShadowMemory::no_granule ? address : granule * granule_bytes + address % granule_bytes;
}

// The running thread's access, as far as a record describes it.
inline Record race_by(const AccessInfo& access) {
  const bool shared = in_shared_memory(access.address);
  Record record{};
  record.type = RecordType::race;
  record.space = shared ? Space::shared : Space::global;
  record.kernel = current_launch.kernel;
  record.site_current = access.site;
  record.current_access = access.kind;
  record.current_size = access.size;
  record.current_block = current_block();
  record.current_thread = current_thread();
  record.address = stable_address(access.address);
  record.variable = variable_at(access.address);
  set_launch(record);
  if (is_cooperative()) record.facts = cooperative;
  return record;
}

// Adds the record of a race. Whether two writes stored the same value is known when the second is made.
inline void add_race(Record& record, const AccessInfo& access) {
  const bool same_bytes = record.prior_size == access.size && record.race.prior_begin == 0;
  const bool two_writes = record.prior_access == AccessKind::write && access.kind == AccessKind::write;
  const bool can_compare = two_writes && same_bytes && AwaitedWrite::can_compare(access.size);
  if (!can_compare) record.facts |= other_values;
  const auto describe = [&](Whereabouts& where) { describe_access(where, access.address); };
  Record* const slot = recorder().add(record, describe, [&] { return origin_of(access.address); });
  if (can_compare) awaited_write.await(access.address, access.size, slot);
  if (record.not_modelled == 0 && record.cause != RaceCause::lock_order) halt_if_asked();
}

// A race of an access, `offset` bytes from its beginning, with `prior` if that is known.
HIRACE_COLD inline void record_race(const AccessInfo& access, std::size_t offset, bool shared, Word word, const Witness* prior) {
  Record record = race_by(access);
  record.relation = prior != nullptr ? scope_between(prior->who, monitor.me)
                    : (current_launch.layout.keep[shared][state_of(word)] & current_launch.layout.block_field) == 0
                        ? RaceScope::grid  // a word forgets its block only after accesses by several blocks
                        : scope_between(word, monitor.me);
  record.not_modelled = might_order(record.relation);
  record.transition = static_cast<std::uint16_t>(transition_index(current_launch.layout, word, monitor.me, folded(access.kind)));
  if (prior != nullptr) {
    record.prior_known = PriorKnown::site_and_thread;
    record.site_prior = prior->site;
    record.prior_access = kind_at_site(prior->kind, prior->site);
    record.prior_size = prior->size;
    record.race.prior_begin = static_cast<std::int16_t>(static_cast<int>(saturated(offset)) - prior->offset);
    record.prior_block = block_of(prior->who);
    record.prior_thread = thread_of(prior->who);
  }
  add_race(record, access);
}

// A read through a texture or a surface, of what the running launch has written.
HIRACE_COLD inline void record_fetch_of_own(const AccessInfo& access, const TexelWrites::Writer& writer) {
  Record record = race_by(access);
  record.relation = scope_between(writer.who, monitor.me);
  record.cause = RaceCause::fetched_own_write;
  record.prior_known = PriorKnown::site_and_thread;
  record.site_prior = writer.site();
  record.prior_access = kind_at_site(writer.kind(), writer.site());
  record.prior_block = block_of(writer.who);
  record.prior_thread = thread_of(writer.who);
  add_race(record, access);
}

// Describes a race of an access of the running grid with one of another grid that the engine follows.
inline void describe_family_race(Record& record, std::uint32_t grid) {
  const order::Grids& grids = order::running->grids;
  record.relation = RaceScope::launch;
  record.prior_known = PriorKnown::site;
  record.race.prior_kernel = static_cast<std::uint16_t>(grids[grid].kernel);
  record.race.prior_stream = record.race.current_stream = nested_stream;
  record.facts |= grids.is_ancestor(grid, grids.running()) ? launched_by_prior : 0u;
}

// A race that the order engine found. `now` and `past` count bytes from the same place.
HIRACE_COLD inline void record_ordered_race(const AccessInfo& access, const order::Access& now, const order::Race& race) {
  const order::PastAccess& past = race.past;
  Record record = race_by(access);
  const order::Thread other = past.by.thread;
  const std::uint32_t grid = order::running->grids.of(other.block);
  // Of a copier: the thread that issued the copy.
  const std::uint32_t thread = order::running->numbering.place(other.number);
  const bool other_block = other.block != current_launch.layout.block_of(monitor.me);
  const bool other_warp = thread / warp_lanes != current_launch.layout.thread_of(monitor.me) / warp_lanes;
  record.relation = other_block ? RaceScope::grid : other_warp ? RaceScope::block : RaceScope::warp;
  record.not_modelled = might_order(record.relation);
  record.site_prior = past.access.site;
  record.prior_access = kind_at_site(past.access.kind_of_access(), past.access.site);
  record.prior_size = (past.access.kind & order::only_part) != 0 ? 0 : past.access.bytes;
  record.race.prior_begin = static_cast<std::int16_t>(past.access.first - now.first);
  if (grid == order::running->grids.running()) {
    record.cause = race.cause.what;
    record.facts |= race.cause.facts;
    record.flag_written = race.cause.flag_written;
    record.flag_read = race.cause.flag_read;
    record.prior_known = PriorKnown::site_and_thread;
    record.prior_block = unflatten(other.block - order::running->first_block, grid_dimensions());
    record.prior_thread = unflatten(thread, block_dimensions());
  } else {
    describe_family_race(record, grid);
  }
  if (race.unless_equal) {
    Whereabouts where{};
    describe_access(where, access.address);
    where.origin = origin_of(access.address);
    awaited_write.await(access.address, access.size, record, where);
  } else {
    add_race(record, access);
  }
}

// Describes a race of some work with an access of other work, from the granule's list of accesses.
// `constructs`: what the work itself has executed.
inline void describe_launch_race(Record& record, std::uint32_t current, std::uint32_t constructs, const LaunchAccess& prior) {
  const WatchedLaunch &now = stream_order()[current], &other = stream_order()[prior.launch()];
  record.relation = RaceScope::launch;
  // A flag set after a fence may also order launches, if the host polls it.
  record.not_modelled = (other.not_modelled | constructs) & ~std::uint32_t{partial_warp_barrier};
  record.not_modelled |= stream_order().may_have_ordered(prior.launch());
  record.prior_known = PriorKnown::site;
  record.site_prior = prior.site();
  record.prior_access = prior.kind();
  record.race.prior_kernel = static_cast<std::uint16_t>(other.kernel);
  record.race.prior_stream = other.stream;
  record.race.current_stream = now.stream;
  if (other.work != WorkKind::kernel) record.facts |= prior_in_call;
  if (other.work == WorkKind::allocation) record.facts |= prior_allocates;
  if (now.work != WorkKind::kernel) record.facts |= current_in_call;
  if (now.work == WorkKind::release) record.facts |= current_releases;
}

// A race of an access with one of another launch.
HIRACE_COLD inline void record_launch_race(const AccessInfo& access, const LaunchAccess& prior) {
  Record record = race_by(access);
  const std::uint32_t constructs = might_order(RaceScope::grid) | __atomic_load_n(&current_launch.between_launches, __ATOMIC_RELAXED);
  describe_launch_race(record, current_launch.watched, constructs, prior);
  const auto describe = [&](Whereabouts& where) {
    describe_access(where, access.address);
    describe_prior(where, stream_order()[prior.launch()]);
  };
  recorder().add(record, describe, [&] { return origin_of(access.address); });
  if (record.not_modelled == 0) halt_if_asked();
}

}  // namespace hirace::cpu
