// Happens-before by NVIDIA's memory model, for launches whose order does not come from barriers of
// whole blocks and warps alone.
//
// The engine sees the operations of a launch one after the other, as the executor makes them: a
// read returns the last value written. For each access it decides whether an earlier one races with
// it: they conflict, they are not morally strong to each other, and the earlier one does not come
// before the later one in causality order (PTX ISA, "Data Races"). The memory model's own program
// (`memory-model/models/ptx.cat`) judges it: the two agree on each execution
// (`tests/order/`).
//
// Terms, as in the chapter "Memory Consistency Model" of the PTX ISA:
// - A *release pattern* is a release of a location, or a fence, followed by a strong write. What came
//   before its first operation is *published* with the value.
// - An *acquire pattern* is an acquire of a location, or a strong read followed by a fence or by an
//   acquire of the same location. What the value published is learned at its last operation.
// - A value that an atomic operation made of another one keeps the publications of that one, if the
//   operation is morally strong to the write that it reads from.
// - A write *observed* by a strong read comes before what follows the reader, but what came before
//   the write does not: that takes a release.
#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "causes.h"
#include "farthest_race.h"
#include "known_causes.h"
#include "location.h"
#include "meetings.h"
#include "observation.h"
#include "patterns.h"
#include "plain_accesses.h"
#include "threads.h"

namespace hirace::cpu::order {

class Engine {
 public:
  explicit Engine(std::uint32_t threads_of_block, std::uint32_t lanes_of_warp = 32)
      : numbering_(threads_of_block), threads_(numbering_), lanes_of_warp_(lanes_of_warp), causes_(threads_, numbering_, lanes_of_warp) {}

  // The threads of a block begin and end: only blocks that run take memory. `told` is what they know from
  // their beginning on.
  void begin_block(std::uint32_t block, std::uint32_t threads, const Knowledge& told = {}) {
    threads_.begin_block(block, threads);
    if (told.is_empty()) return;
    for (State& state : threads_.block(block).threads) state.known = told;
  }
  void end_block(std::uint32_t block) { threads_.end_block(block); }

  // An access, to a location that only threads of one block can access if `of_block`. Returns the earlier access that it races
  // with, or none.
  std::optional<Race> access(std::uint32_t thread, Location& location, const Access& access, bool of_block) {
    if (node_pool().is_full()) node_pool().forget_old();
    State& state = threads_.at(thread);
    causes_.of_block = of_block;
    // Only threads that have met since will come.
    if (of_block) location.forget_before(state.met);
    if (location.bytes != nullptr) return access_bytes(state, location, access);
    if (location.history == nullptr && follows_plain(state, location, access)) return std::nullopt;
    if (!location.needs_bytes(access)) return access_all(state, location, access);
    location.split();
    return access_bytes(state, location, access);
  }

  // The same for a plain read of a thread at a time, if nobody has written the location, and the last one to
  // read it was a lane of the same warp at the same time. False if not.
  static bool reads_like_last(const Moment& by, Location& location, const Access& access) {
    if (location.history == nullptr || location.history->written) return false;
    location.history->latest = std::max(location.history->latest, by.time);
    return location.history->reads.joins_last(by, access);
  }
  Moment moment(std::uint32_t thread) { return threads_.at(thread).moment(); }
  bool knows(std::uint32_t thread, const Moment& moment) { return threads_.at(thread).knows(moment); }

  // Whether plain writes of one value to the same bytes are no race; and a digest of what such a write
  // is about to replace. What it follows is not forgotten: a later one need not follow that, too.
  bool tolerates_same_value = false;
  std::optional<std::uint32_t> replaced;

  // The time of a thread's next access, until it synchronises with others.
  Time now(std::uint32_t thread) { return threads_.at(thread).now; }

  // Whether an access since the last call was not compared with earlier ones that were forgotten.
  bool has_forgotten() {
    const bool in_graph = node_pool().has_assumed();
    return std::exchange(has_forgotten_, false) || in_graph;
  }

  // Whether an operation at that moment comes before the thread's next one.
  bool follows(std::uint32_t thread, const Moment& moment) { return threads_.at(thread).knows(moment); }

  // A fence (PTX ISA, "fence"); `sequential` is fence.sc.
  void fence(std::uint32_t thread, Scope scope, bool sequential) {
    State& state = threads_.at(thread);
    const bool reaches_device = scope != Scope::block || !holds(Rule::fence_of_block_scope_publishes_to_its_block);
    const bool has_order = (sequential || !holds(Rule::only_sequential_fences_have_an_order)) && holds(Rule::sequential_fences_have_an_order);
    learn_seen(state, scope);
    if (has_order) {
      has_narrow_fences_ = has_narrow_fences_ || scope == Scope::block;
      state.known.Clock::join(state.known.communicated.reaching(state.self.block, scope));
      if (scope != Scope::block) state.known.fences.join(state.known.communicated);
      // All of them reached the thread: who learns of its fence learns of them.
      if (!has_narrow_fences_) state.known.communicated = {};
    }
    state.patterns().exchanges.fence(scope);
    Knowledge now = order::publish(state);
    if (has_order) {
      state.known.fences.add(now, state.self.block, scope);
      now.fences = state.known.fences;
    }
    begin_pattern(state, now, reaches_device);
  }

  // Half of fence.acq_rel: fence.acquire ends patterns, fence.release begins them.
  void half_fence(std::uint32_t thread, Scope scope, bool acquires) {
    State& state = threads_.at(thread);
    if (acquires) {
      learn_seen(state, scope);
      state.patterns().exchanges.fence(scope);
    } else {
      const bool reaches_device = scope != Scope::block || !holds(Rule::fence_of_block_scope_publishes_to_its_block);
      begin_pattern(state, order::publish(state), reaches_device);
    }
  }

  // All threads of a block pass a barrier.
  void block_barrier(std::uint32_t block) { meet_all(threads_.block(block), block); }

  // Some threads of a block meet at a barrier: `lanes` has a bit for each, from the thread `first`.
  void meet(std::uint32_t first, std::uint32_t lanes) {
    Knowledge known;
    const auto each = [&](auto&& visit) {
      for (std::uint32_t rest = lanes; rest != 0; rest &= rest - 1) visit(threads_.at(first + static_cast<std::uint32_t>(__builtin_ctz(rest))));
    };
    each([&](State& state) {
      settle_told(state);
      known.join_of(state.self.number, state.known);
    });
    const Time now = known.learn(first, lanes);
    each([&](State& state) {
      state.known = known;
      state.now = now;
      state.met_lanes = {first, lanes_of_warp_, lanes};
    });
  }

  // What a block that is about to end has done and knows, asynchronous copies included.
  Knowledge all_of(std::uint32_t block) { return order::all_of(threads_.block(block), block); }

  // All threads of the launch pass a barrier; `ended` is what blocks that have ended have done.
  void launch_barrier(const Knowledge& ended) { meet_everywhere(threads_, ended); }

  // The same if all of the launch's accesses before can be forgotten. The caller forgets all locations.
  void launch_barrier() {
    threads_.each([](State& state) { state.forget(); });
  }

  // A thread issues a copy. Its copier knows what the thread knew then, and nobody knows what it does
  // unless they wait for it. Returns its number.
  std::uint32_t begin_copy(std::uint32_t thread, Copier which) {
    State& copier = threads_.copier_of(thread, which);
    const Knowledge known = order::publish(threads_.at(thread));
    // Unless it has learned something by itself, it knew less before.
    if (copier.known.is_same(copier.issued) && holds(Rule::copy_follows_its_issue)) copier.known.replace(known);
    if (holds(Rule::copy_follows_its_issue)) join(copier.known, known);
    copier.issued = copier.known;
    // Its copies are unordered: it knows of earlier ones what the thread knew.
    copier.now = of_copy | ++last_time;
    return copier.self.number;
  }

  // What a thread knows and has done until now, for those who wait for it.
  Knowledge publish(std::uint32_t thread) { return order::publish(threads_.at(thread)); }

  // What a thread knows of others, until it is told something else.
  Knowledge known(std::uint32_t thread) {
    State& state = threads_.at(thread);
    settle_told(state);
    return state.known;
  }
  void set_known(std::uint32_t thread, const Knowledge& known) { threads_.at(thread).known = known; }

  // A thread has waited at such a barrier, at which others have arrived with this knowledge.
  void wait(std::uint32_t thread, const Knowledge& arrived) {
    State& state = threads_.at(thread);
    if (holds(Rule::wait_learns_what_arrived)) join(state.known, arrived);
    begin_time(state);
  }
  // What its last fence published, and what its next one will learn: for relaxed arrivals and waits.
  Patterns& patterns(std::uint32_t thread) { return threads_.at(thread).patterns(); }
  // For the cause of a race with who has arrived.
  void note_arrival(std::uint32_t thread, const void* barrier) {
    patterns(thread).exchanges.arrive(now(thread), barrier);
  }
  void note_wait(std::uint32_t thread, const Wait& wait) { patterns(thread).exchanges.wait(now(thread), wait); }

 private:
  using State = ThreadState;

  bool follows_plain(const State& state, Location& location, const Access& access) const {
    return !tolerates_same_value && follow_plain(numbering_, state, location, access);
  }

  // An access to all of a location, of which more must be remembered than the last accesses.
  std::optional<Race> access_all(State& state, Location& location, const Access& access) {
    if (location.history == nullptr) begin_history(threads_, numbering_, location);
    const std::optional<Race> racing = follow(state, *location.history, access);
    if (access.writes() && !access.strong() && !tolerates_same_value) end_history(state, location, access);
    return racing;
  }

  // An access to some bytes of a location, each of which is followed on its own.
  std::optional<Race> access_bytes(State& state, Location& location, const Access& access) {
    std::optional<Race> racing;
    const int end = std::min(access.first + access.bytes, Location::byte_count);
    for (int byte = std::max<int>(access.first, 0); byte < end; ++byte) {
      Location& part = location.bytes[byte];
      const Access of_byte = access.from(byte);
      if (part.history == nullptr && follows_plain(state, part, of_byte)) continue;
      std::optional<Race> found = access_all(state, part, of_byte);
      if (!found || (racing && !causes_.is_farther(state.self, found->past.by.thread, racing->past.by.thread))) continue;
      found->past.access = found->past.access.from(-byte);
      racing = found;
    }
    if (access.covers_all(Location::byte_count) && access.writes() && !access.strong()) location.merge();
    return racing;
  }

  std::optional<Race> follow(State& state, AccessHistory& history, const Access& access) {
    history.latest = std::max(history.latest, state.now);
    const bool is_strong_read = access.reads() && access.strong();
    const bool observes = is_strong_read && history.written && is_morally_strong(state.self, access, history.writer, history.write);
    if (is_strong_read) {
      if (!access.writes() && repeats(state, history, access)) return std::nullopt;
      if (history.written) state.patterns().exchanges.read(state.self, state.now, history, access, {observes, causes_.of_block});
    }
    const bool acquires_now = access.reads() && acquires(access.how.order);
    if (observes && acquires_now) {
      see_and_acquire(state, history, access);
    } else if (observes) {
      see(state, history, access);
    } else if (acquires_now && holds(Rule::acquire_ends_earlier_reads)) {
      acquire(state, history, access);
    }
    communicate(state, history, access, observes);
    // What the access observes comes before later operations, not before the access itself.
    if (is_strong_read && !access.writes() && !may_race(state, history, access)) {
      if (observes) history.observe(state.moment());
      add_read(state, history, access);
      return std::nullopt;
    }
    return compare(state, history, access, observes);
  }

  // Whether a strong read may race at all.
  static bool may_race(const State& state, const AccessHistory& history, const Access& read) {
    return !history.past.empty() && !history.strong_past.are_morally_strong_to(read, state.self.block);
  }

  // Compares an access with earlier ones, and remembers it.
  std::optional<Race> compare(State& state, AccessHistory& history, const Access& access, bool observes) {
    if (replaced) history.note_replaced(*replaced, access);
    std::optional<Race> racing = find_race(state, history, access, false);
    if (!racing && replaced) racing = find_race(state, history, access, true);
    if (!racing && !access.strong() && may_race_with_forgotten(state, history)) has_forgotten_ = true;
    if (observes && !access.writes()) history.observe(state.moment());
    remember(state, history, access, observes, racing.has_value());
    return racing;
  }

  // PTX ISA, "Morally Strong Operations": in program order, or both strong with scopes that include
  // each other's thread; and with the same bytes.
  bool is_morally_strong(Thread a, const Access& of_a, Thread b, const Access& of_b) const {
    if (!of_a.same_bytes(of_b) && holds(Rule::morally_strong_operations_overlap_completely)) return false;
    if (a.number == b.number && !is_copier(a)) return true;
    if (!of_a.strong() && (!of_b.strong() || holds(Rule::both_operations_are_strong))) return false;
    if (!of_b.strong() && holds(Rule::both_operations_are_strong)) return false;
    return (includes(of_a.how.scope, a, b) || !holds(Rule::earlier_scope_counts)) && includes(of_b.how.scope, b, a);
  }

  // If `may_equal`, only with writes that are no race if the access stores their value; else with others.
  std::optional<Race> find_race(const State& state, const AccessHistory& history, const Access& access, bool may_equal) const {
    const auto races = [&](const PastAccess& past) {
      if ((replaced && past.has_stored(*replaced, access)) != may_equal) return false;
      if (!(past.access.writes() || access.writes()) || !past.access.overlaps(access)) return false;
      if (is_morally_strong(past.by.thread, past.access, state.self, access)) return false;
      return !state.knows(past.by) && !is_observed(state, history, past) && !may_be_observed(state, history, past, access);
    };
    FarthestRace farthest(causes_, state.self);
    if (!history.strong_past.are_morally_strong_to(access, state.self.block)) {
      for (const PastAccess& past : history.past) {
        if (farthest.is_exceeded_by(past.by.thread) && races(past)) farthest.take(past);
      }
    }
    const auto may_race = [&](const Reads::Group& group) {
      const bool is_known = group.block == state.self.block && group.time < state.met;
      return !is_known && farthest.may_be_exceeded_in(group.block);
    };
    const auto exceeds = [&](const PastAccess& past) { return farthest.is_exceeded_by(past.by.thread) && races(past); };
    while (access.writes() && !history.strong_reads.are_morally_strong_to(access, state.self.block)) {
      unsigned lane = 0;
      const Reads::Group* const group = history.reads.find(may_race, exceeds, lane);
      if (group == nullptr) break;
      farthest.take(group->of_lane(lane));
    }
    if (!farthest.found) return std::nullopt;
    Race race = known_causes_.explain(causes_, state, history, *farthest.found, access, races);
    race.unless_equal = may_equal;
    return race;
  }

  // Whether the thread knows, or may know, an atomic operation that has observed the write, but that
  // another one stands for, which is no race. That needs scopes of two widths.
  bool may_be_observed(const State& state, const AccessHistory& history, const PastAccess& past, const Access& access) const {
    if (!past.access.strong() || !access.strong()) return false;
    return std::any_of(history.past.begin(), history.past.end(), [&](const PastAccess& later) {
      if (!later.first_superseded || later.chain != past.chain || later.place <= past.place) return false;
      if (!is_morally_strong(later.by.thread, later.access, state.self, access)) return false;
      if (state.knows(*later.first_superseded)) return true;
      has_forgotten_ = has_forgotten_ || later.superseded_several;
      return later.superseded_several;
    });
  }

  void remember(State& state, AccessHistory& history, const Access& access, bool observes, bool races) {
    if (!access.writes()) return add_read(state, history, access);
    const Moment by = state.moment();
    write(state, history, access, observes);
    // What a plain write follows, every later access that follows the write follows, too.
    const auto is_settled = [&](const PastAccess& past) {
      if (tolerates_same_value && past.by.thread.number != state.self.number) return false;
      return access.covers(past.access) && (!races || state.knows(past.by) || is_observed(state, history, past));
    };
    auto& all = history.past;
    if (!access.strong() && (!races || history.is_time_to_settle())) {
      all.remove_if(is_settled);
      if (races && !tolerates_same_value) history.reads.remove_if(is_settled);
      if (!races && !tolerates_same_value) history.reads.remove_covered(access);
      if (all.empty()) history.strong_past.clear();
    }
    history.strong_past.add(access, state.self.block);
    history.add(PastAccess{by, access, history.chain, history.place});
  }

  static void add_read(const State& state, AccessHistory& history, const Access& access) {
    if (history.reads.is_empty()) history.strong_reads.clear();
    history.strong_reads.add(access, state.self.block);
    history.reads.add(state.moment(), access);
  }

  void write(State& state, AccessHistory& history, const Access& access, bool observes) {
    const bool continues = access.reads() && observes && holds(Rule::atomic_operation_keeps_what_was_published);
    note_chain(history, continues);
    history.written_at = state.now;
    if (!continues) {
      history.publishes_fences = history.before_writes.is_empty() || (access.strong() && !history.written);
      if (!holds(Rule::publication_tells_of_writes_before)) history.publishes_fences = true;
      if (history.publishes && holds(Rule::other_writes_publish_anew)) {
        history.published = {};
        history.publishes = false;
      }
      ++history.chain;
      history.place = 0;
    } else {
      ++history.place;
    }
    history.released = access.strong() ? publish_with(state, history, access) : ReleasedUntil();
    if (history.publishes) history.published.keep([&](std::uint32_t running) { return threads_.runs(running); });
    history.version = ++last_time;
    history.written = true;
    history.writer = state.self;
    history.write = access;
    if (access.strong() && !releases(access.how.order)) begin_time(state);
  }

  // The present write is about to be replaced, by an atomic operation that goes on from it or by another write.
  static void note_chain(AccessHistory& history, bool continues) {
    if (!continues) {
      history.before = nullptr;
      return;
    }
    if (history.before == nullptr) history.before = std::make_shared<Chain>();
    history.before->add({{history.writer, history.written_at}, history.write.site, history.released});
  }

  bool is_copier(Thread thread) const { return numbering_.is_copier(thread.number); }

  Numbering numbering_;
  Threads threads_;
  std::uint32_t lanes_of_warp_;
  Causes causes_;
  mutable KnownCauses known_causes_;
  // A fence.sc of the scope of a block.
  bool has_narrow_fences_ = false;
  mutable bool has_forgotten_ = false;
};

}  // namespace hirace::cpu::order
