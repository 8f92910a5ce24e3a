// The check of accesses in a launch that the order engine follows (order/engine.h).
//
// The inline part of the check (check.h) knows the plain accesses that the shadow words tell all of;
// the others end here.
#pragma once

#include "check.h"
#include "ordered_granule.h"
#include "race_record.h"
#include "slow_check.h"

namespace hirace::cpu {

// The scope of an operation, as the engine knows it. The scope of a cluster is that of its only block, or that of the
// device: that is too wide if there are several clusters.
inline Scope followed_scope(Scope scope) {
  if (scope != Scope::cluster) return scope;
  if (!current_launch.clustered) return Scope::block;
  if (current_launch.several_clusters) recorder().limit(current_launch.kernel, cluster_scope_widened);
  return Scope::device;
}

// The strength of an access by the configuration.
inline Strength configured(Strength how) {
  how.scope = followed_scope(how.scope);
  if (semantics.relaxed_loads_acquire && how.order != Order::weak && how.reads && !acquires(how.order)) {
    how.order = releases(how.order) ? Order::acquire_release : Order::acquire;
  }
  return how;
}

// A piece of memory that the engine compares as one. Wider accesses are made of several.
constexpr std::size_t max_ordered_bytes = 64;

struct OrderedAccess {
  AccessInfo info;
  Strength how;
  Granule first;      // in the window
  std::size_t begin;  // of the access, in bytes from the start of the first granule
  bool shared;  // memory of one block
};

// A digest of the bytes that a plain write replaces, if the value that it stores can be compared.
inline std::optional<std::uint32_t> replaced_by(const AccessInfo& access) {
  if (!semantics.tolerates_same_value || access.kind != AccessKind::write || !AwaitedWrite::can_compare(access.size)) return std::nullopt;
  const auto* const bytes = reinterpret_cast<const unsigned char*>(access.address);
  std::uint32_t digest = 0x811c9dc5u;
  for (std::size_t at = 0; at < access.size; ++at) digest = (digest ^ bytes[at]) * 0x01000193u;
  return digest;
}

// Tells the predictor of an access, and records what races in other schedules.
HIRACE_COLD inline void predict(const OrderedAccess& access, const order::SeenAccess& seen, order::LocationId id, ReportedRaces& reported) {
  const auto report = [&](const order::PastAccess& past, const order::Cause& cause) {
    if (reported.is_first(past.access.site)) record_ordered_race(access.info, seen.access, {past, cause, false});
  };
  order::running->predictor->access(order::running->engine, id, seen, report);
}

// Compares the bytes of one access with earlier ones, and records the races.
inline void follow(Monitor& m, const OrderedAccess& access, std::size_t size, ReportedRaces& reported) {
  const std::uint32_t thread = accessing_thread();
  order::Engine& engine = order::running->engine;
  engine.replaced = replaced_by(access.info);
  std::size_t done = 0;
  for (Granule granule = access.first; done < size; ++granule) {
    const std::size_t at = granule * granule_bytes;
    const std::size_t begin = access.first * granule_bytes + access.begin;
    const std::size_t end_here = at + granule_bytes < begin + size ? at + granule_bytes : begin + size;
    const std::size_t begin_here = at > begin ? at : begin;
    if (note_poisoned(m.words[granule], m.window + at, access.info.site, access.info.address, access.info.size, reported.fault)) {
      done = end_here - begin;
      continue;
    }
    const unsigned bytes = ((1u << (end_here - begin_here)) - 1) << (begin_here - at);
    if (current_launch.watched != 0 && !in_shared_memory(access.info.address)) {
      compare_with_launches(m, granule, bytes, access.info, reported);
    }
    if (current_launch.follows_texels) follow_texels(m, granule, bytes, access.info, access.how.writes, reported);
    const order::Access now{access.how, static_cast<std::int8_t>(static_cast<std::ptrdiff_t>(begin) - static_cast<std::ptrdiff_t>(at)),
                            static_cast<std::uint8_t>(size), static_cast<std::uint8_t>(access.info.kind), access.info.site};
    const bool predicts = order::running->predictor != nullptr;
    const order::Time time = __builtin_expect(predicts, 0) ? engine.now(thread) : 0;
    const bool is_first = stale(m.words[granule], access.shared);
    OrderedGranule followed(m, granule, access.shared);
    if (const std::optional<order::Race> found = engine.access(thread, followed.location(), now, access.shared && !current_launch.clustered)) {
      if (reported.is_first(found->past.access.site)) record_ordered_race(access.info, now, *found);
    }
    if (__builtin_expect(predicts, 0)) {
      const order::Moment by{{thread, order::running->numbering.block_of(thread)}, time};
      const std::uintptr_t address = access.info.address + (begin_here - begin);
      const order::SeenAccess seen{ordered_thread(), by, now, address, static_cast<std::uint32_t>(end_here - begin_here), access.shared,
                                   is_first, followed.location().history_of(now)};
      predict(access, seen, granule + m.first_granule + 1, reported);
    }
    if (__builtin_expect(engine.has_forgotten(), 0)) recorder().limit(current_launch.kernel, history_forgotten);
    done = end_here - begin;
  }
}

// The check of a plain read of one granule that many threads read: see Engine::reads_like_last().
inline bool reads_like_last(Monitor& m, Granule granule, bool shared, SiteId site) {
  const Word word = m.words[granule];
  if (state_of(word) != followed_state || stale(word, shared) || current_launch.watched != 0 || m.texels) return false;
  const Layout& layout = current_launch.layout;
  order::LaunchOrder& running = *order::running;
  const Granule of = granule + m.first_granule;
  order::RecentRead& recent = running.recent_reads[of];
  const bool at_one_time = order::holds(order::Rule::lanes_read_at_one_time);
  const Word who = m.me & ~layout.thread_field() & (at_one_time ? ~Word{0} : ~layout.time_field());
  const auto place = static_cast<std::uint32_t>(layout.thread_of(m.me));
  m.site = site;
  if (recent.add(of, who, place, site)) return true;
  const auto block = static_cast<std::uint32_t>(layout.block_of(m.me));
  order::Locations& locations = shared ? running.shared(block) : running.global();
  order::Location& location = locations[m.places[granule]];
  constexpr AccessKind kind = AccessKind::read;
  const order::Access access{strength_of(kind), 0, granule_bytes, static_cast<std::uint8_t>(kind), site};
  // Most often, the running thread's word has the time.
  const bool has_time = (m.me & slow_flags) == 0;
  const std::uint32_t thread = accessing_thread();
  const order::Moment now = has_time ? order::Moment{{thread, block}, running.began + (m.me & layout.time_field())} : running.engine.moment(thread);
  if (!order::Engine::reads_like_last(now, location, access)) return false;
  order::Reads::Group* const group = location.history->reads.last_alone();
  if (has_time && group != nullptr) recent = {of, who, site, group->first - running.numbering.thread(block, 0), group};
  return true;
}

HIRACE_COLD HIRACE_RUNTIME void check_in_order(std::uintptr_t address, std::size_t size, AccessKind kind, const Strength& how, SiteId site,
                                               std::size_t align, bool reads) {
  Monitor& m = monitor;
  m.site = site;
  const std::uintptr_t offset = address - m.window;
  Granule first = offset / granule_bytes;
  const bool in_window = first < m.followed_granules;
  if (!in_window) {
    --m.granted;
    if (!m.section) return;
    const Granule outside = shadow_memory().granule_outside(address);
    if (outside == ShadowMemory::no_granule) {
      if (!arena().contains(address) && !is_private(address, kind)) ++m.outside;
      return;
    }
    ++m.granted;
    first = outside - m.first_granule;
    if (note_gap(m, first, address, size, site)) return;
  }
  if (address % align != 0) fail_misaligned(address, size, site);
  const bool shared = first < m.shared_granules && in_window;
  if (current_launch.clustered && in_shared_memory(address) && !enter_shared_of_other(address, kind, site)) return;
  if (in_window && how.writes) note_written(m, address);
  // For the others, check_slow() has tried it.
  const bool is_whole_read = kind == AccessKind::read && size == granule_bytes && address % granule_bytes == 0;
  if (!in_window && is_whole_read && reads_like_last(m, first, false, site)) return;
  const Word old = m.words[first];
  const bool wide = size > max_ordered_bytes;
  const std::size_t skip = address % granule_bytes;
  ReportedRaces reported;
  for (std::size_t done = 0; done < size;) {
    const std::size_t left = size - done;
    const std::size_t piece = !wide ? left : left < max_ordered_bytes ? left : max_ordered_bytes;
    const std::size_t begin = skip + done;
    const AccessInfo info{kind, site, address + done, saturated(piece)};
    follow(m, {info, configured(how), first + begin / granule_bytes, begin % granule_bytes, shared}, piece, reported);
    done += piece;
  }
  if (in_window && !in_shared_memory(address) && reads && old == 0 && looks_fresh(m, first)) check_written(m, offset, size, site);
}

HIRACE_RUNTIME void check_strong_in_order(AccessKind kind, const Strength& how, const volatile void* pointer, std::size_t size, SiteId site,
                                          std::size_t align, bool reads) {
  if (!monitor.in_kernel) return;
  if (acquires(how.order) || releases(how.order)) current_launch.between_launches |= memory_fence;
  // No race is looked for any more, so nobody asks what comes before what.
  if (current_launch.over) return;
  check_in_order(reinterpret_cast<std::uintptr_t>(pointer), size, kind, how, site, align, reads);
  renew_time();
}

}  // namespace hirace::cpu
