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
#include "location.h"
#include "patterns.h"
#include "threads.h"

namespace hirace::cpu::order {

class Engine {
 public:
  explicit Engine(std::uint32_t threads_of_block, std::uint32_t lanes_of_warp = 32)
      : numbering_(threads_of_block), threads_(numbering_), lanes_of_warp_(lanes_of_warp), causes_(threads_, numbering_, lanes_of_warp) {}

  // The threads of a block begin and end: only blocks that run take memory.
  void begin_block(std::uint32_t block) { threads_.begin_block(block); }
  void end_block(std::uint32_t block) { threads_.end_block(block); }

  // An access, to a location of shared memory if `of_block`. Returns the earlier access that it races
  // with, or none.
  std::optional<Race> access(std::uint32_t thread, Location& location, const Access& access, bool of_block) {
    if (node_pool().is_full()) node_pool().forget_old();
    State& state = threads_.at(thread);
    if (location.history == nullptr) {
      if (!tolerates_same_value && follow_plain(state, location, access, of_block)) return std::nullopt;
      begin_history(location);
    }
    const std::optional<Race> racing = follow(state, *location.history, access);
    if (access.writes() && !access.strong() && !tolerates_same_value) end_history(state, location, access);
    return racing;
  }

  // Whether plain writes of one value to the same bytes are no race; and a digest of what such a write
  // is about to replace. What it follows is not forgotten: a later one need not follow that, too.
  bool tolerates_same_value = false;
  std::optional<std::uint32_t> replaced;

  // The time of a thread's next access, until it synchronises with others.
  Time now(std::uint32_t thread) { return threads_.at(thread).now; }

  // Whether an access since the last call was not compared with all earlier ones, because some were
  // forgotten.
  bool has_forgotten() {
    const bool in_graph = node_pool().has_assumed();
    return std::exchange(has_forgotten_, false) || in_graph;
  }

  // Whether an operation at that moment comes before the thread's next one.
  bool follows(std::uint32_t thread, const Moment& moment) { return threads_.at(thread).knows(moment); }

  // A fence (PTX ISA, "fence"); `sequential` is fence.sc.
  void fence(std::uint32_t thread, Scope scope, bool sequential) {
    State& state = threads_.at(thread);
    learn_seen(state, scope);
    if (sequential) {
      state.known.Clock::join(state.known.communicated.reaching(state.self.block, scope));
      if (scope != Scope::block) state.known.fences.join(state.known.communicated);
    }
    Patterns& patterns = state.patterns();
    patterns.exchanges.fence(scope);
    Knowledge now = order::publish(state);
    if (sequential) {
      state.known.fences.join(FenceClocks(now, state.self.block, scope));
      now.fences = state.known.fences;
    }
    patterns.fenced.block = now;
    if (scope != Scope::block) patterns.fenced.device = now;
  }

  // All threads of a block pass a barrier.
  void block_barrier(std::uint32_t block) {
    Threads::Block& all = threads_.block(block);
    Knowledge known;
    for (const State& state : all.threads) join(known, state.known);
    const Time now = known.learn_block(block);
    for (State& state : all.threads) {
      state.known = known;
      state.now = state.met = now;
      state.met_lanes = {};
    }
  }

  // Some threads of a block meet at a barrier: `lanes` has a bit for each, from the thread `first`.
  void meet(std::uint32_t first, std::uint32_t lanes) {
    Knowledge known;
    const auto each = [&](auto&& visit) {
      for (std::uint32_t rest = lanes; rest != 0; rest &= rest - 1) visit(threads_.at(first + static_cast<std::uint32_t>(__builtin_ctz(rest))));
    };
    each([&](const State& state) { join(known, state.known); });
    const Time now = known.learn(first, lanes);
    each([&](State& state) {
      state.known = known;
      state.now = now;
      state.met_lanes = {first, lanes_of_warp_, lanes};
    });
  }

  // All threads of the launch pass a barrier. The caller forgets all locations.
  void launch_barrier() {
    threads_.each([](State& state) { state.forget(); });
  }

  // A thread issues a copy. Its copier knows what the thread knew then, and nobody knows what it does
  // unless they wait for it. Returns its number.
  std::uint32_t begin_copy(std::uint32_t thread) {
    State& copier = threads_.copier_of(thread);
    join(copier.known, order::publish(threads_.at(thread)));
    // Its copies are unordered: it knows of earlier ones what the thread knew.
    copier.now = of_copy | ++last_time;
    return copier.self.number;
  }

  // What a thread knows and has done until now, for those who wait for it.
  Knowledge publish(std::uint32_t thread) { return order::publish(threads_.at(thread)); }

  // What a thread knows of others, until it is told something else.
  Knowledge known(std::uint32_t thread) { return threads_.at(thread).known; }
  void set_known(std::uint32_t thread, const Knowledge& known) { threads_.at(thread).known = known; }

  // A thread has waited at such a barrier, at which others have arrived with this knowledge.
  void wait(std::uint32_t thread, const Knowledge& arrived) {
    State& state = threads_.at(thread);
    join(state.known, arrived);
    begin_time(state);
  }

 private:
  using State = ThreadState;

  Moment moment_of(const LastAccess& last) const { return {{last.thread, numbering_.block_of(last.thread)}, last.time}; }

  // A plain access to a location without a history. False if it needs one: it races, or later
  // accesses may race with one access and not with another.
  bool follow_plain(const State& state, Location& location, const Access& access, bool of_block) const {
    if (access.strong()) return false;
    LastAccess &write = location.write, &read = location.read;
    if (of_block) {
      // Only threads that know of them will come.
      if (write.time < state.met) write.bytes = 0;
      if (read.time < state.met) read.bytes = 0;
    }
    if (write.is_made() && !state.knows(moment_of(write))) return false;
    const auto covers = [&](const LastAccess& last) { return !last.is_made() || access.covers(last.access(false)); };
    if (access.writes()) {
      if (!covers(write) || !covers(read) || (read.is_made() && !state.knows(moment_of(read)))) return false;
      location.set_write(state.self.number, state.now, access);
      return true;
    }
    if (!read.is_made()) {
      const bool is_same = write.is_made() && write.thread == state.self.number && write.time == state.now && write.access(true).covers(access);
      if (!is_same) read.set(state.self.number, state.now, access);
      return true;
    }
    if (read.thread == state.self.number) {
      // Copies of one thread are unordered.
      if (!access.same_bytes(read.access(false)) || (state.copies && read.time != state.now)) return false;
      if (read.time != state.now) read.set(state.self.number, state.now, access);
      return true;
    }
    // What follows this read follows the earlier one, too.
    if (!covers(read) || !state.has_met(moment_of(read))) return false;
    read.set(state.self.number, state.now, access);
    return true;
  }

  void begin_history(Location& location) {
    location.history = std::make_unique<AccessHistory>();
    AccessHistory& history = *location.history;
    history.location = location.id;
    history.version = ++last_time;
    if (location.write.is_made()) {
      const Moment by = moment_of(location.write);
      history.write = location.write.access(true);
      history.written = true;
      history.writer = by.thread;
      history.written_at = by.time;
      history.chain = 1;
      history.past.push_back({by, history.write, 1, 0});
      history.all_strong = false;
      // More than those before the access: it races, or whoever comes knows of them.
      history.before_writes = threads_.fences_of(by.thread);
    }
    if (location.read.is_made()) {
      history.reads.add(moment_of(location.read), location.read.access(false));
      history.reads_strong = false;
      history.before_reads = threads_.fences_of(moment_of(location.read).thread);
    }
  }

  // After a plain write that all earlier accesses come before.
  void end_history(const State& state, Location& location, const Access& access) const {
    const AccessHistory& history = *location.history;
    if (history.past.size() != 1 || !history.reads.is_empty()) return;
    location.set_write(state.self.number, state.now, access);
    location.history = nullptr;
  }

  std::optional<Race> follow(State& state, AccessHistory& history, const Access& access) {
    const bool observes = access.reads() && access.strong() && history.written && is_morally_strong(state.self, access, history.writer, history.write);
    if (access.reads() && access.strong()) {
      if (!access.writes() && repeats(state, history, access)) return std::nullopt;
      if (history.written) state.patterns().exchanges.read(state.self, state.now, history, access, observes);
    }
    if (observes) see(state, history, access);
    // What is published with the value says the same of fences as `before_writes`.
    const bool is_told = observes && access.how.returns_value && history.publishes_fences;
    if (access.reads()) {
      if (!is_told) state.known.communicated.join(history.before_writes);
      // Later operations follow the write of an atomic operation, too.
      if (!access.writes()) history.before_reads.join(state.known.fences);
      if (observes) state.known.communicated.join(history.before_present);
    }
    if (access.reads() && acquires(access.how.order)) acquire(state, history, access);
    if (access.writes()) {
      // A plain write has no place in the coherence order among writes that it races with.
      if (access.strong()) {
        history.before_present.join(history.before_reads);
        state.known.communicated.join(history.before_present);
        if (!is_told) state.known.communicated.join(history.before_writes);
      }
      history.before_writes.join(state.known.fences);
    }
    if (replaced) history.note_replaced(*replaced, access);
    std::optional<Race> racing = find_race(state, history, access, false);
    if (!racing && replaced) racing = find_race(state, history, access, true);
    if (!racing && !access.strong() && may_race_with_forgotten(state, history)) has_forgotten_ = true;
    // What the access observes comes before later operations, not before the access itself.
    if (observes) history.observe({state.self, state.now});
    remember(state, history, access, observes, racing.has_value());
    return racing;
  }

  // PTX ISA, "Morally Strong Operations": in program order, or both strong with scopes that include
  // each other's thread; and with the same bytes.
  bool is_morally_strong(Thread a, const Access& of_a, Thread b, const Access& of_b) const {
    if (!of_a.same_bytes(of_b)) return false;
    if (a.number == b.number && !is_copier(a)) return true;
    return of_a.strong() && of_b.strong() && includes(of_a.how.scope, a, b) && includes(of_b.how.scope, b, a);
  }

  // If `may_equal`, only with writes that are no race if the access stores their value; else with others.
  std::optional<Race> find_race(const State& state, const AccessHistory& history, const Access& access, bool may_equal) const {
    const auto races = [&](const Past& past) {
      if ((replaced && past.has_stored(*replaced, access)) != may_equal) return false;
      if (!(past.access.writes() || access.writes()) || !past.access.overlaps(access)) return false;
      if (is_morally_strong(past.by.thread, past.access, state.self, access)) return false;
      return !state.knows(past.by) && !is_observed(state, history, past);
    };
    const auto are_strong = [&](const Access& past) { return past.reaches_device() && access.reaches_device() && past.same_bytes(access); };
    Farthest farthest(causes_, state.self);
    const bool all_strong = history.all_strong && !history.past.empty() && are_strong(history.past.back().access);
    for (const Past& past : history.past) {
      if (!all_strong && farthest.is_exceeded_by(past.by.thread) && races(past)) farthest.take(past);
    }
    const bool reads_are_strong = history.reads_strong && !history.reads.is_empty() && are_strong(history.reads.any());
    const auto may_race = [&](const Reads::Group& group) {
      const bool is_known = group.block == state.self.block && group.time < state.met;
      return !is_known && !are_strong(group.access) && farthest.may_be_exceeded_in(group.block);
    };
    const auto exceeds = [&](const Past& past) { return farthest.is_exceeded_by(past.by.thread) && races(past); };
    while (access.writes() && !reads_are_strong) {
      unsigned lane = 0;
      const Reads::Group* const group = history.reads.find(may_race, exceeds, lane);
      if (group == nullptr) break;
      farthest.take(group->of_lane(lane));
    }
    if (!farthest.found) return std::nullopt;
    return Race{*farthest.found, causes_.of(state, *farthest.found, access), may_equal};
  }

  // Whether the thread knows a read that observed the write.
  bool is_observed(const State& state, const AccessHistory& history, const Past& past) const {
    if (!past.access.writes()) return false;
    for (const Observer& observer : history.observers) {
      if (observer.chain == past.chain && observer.place >= past.place && state.knows(observer.by)) return true;
    }
    return false;
  }

  bool may_race_with_forgotten(const State& state, const AccessHistory& history) const {
    const std::optional<Past>& last = history.forgotten;
    return history.forgot_others || (last.has_value() && !state.knows(last->by) && !is_observed(state, history, *last));
  }

  void remember(State& state, AccessHistory& history, const Access& access, bool observes, bool races) {
    const Moment by{state.self, state.now};
    if (access.writes()) write(state, history, access, observes);
    const Past now{by, access, history.chain, history.place};
    if (!access.writes()) {
      const bool is_first = history.reads.is_empty();
      history.reads_strong = access.reaches_device() && (is_first || (history.reads_strong && access.same_bytes(history.reads.any())));
      return history.reads.add(by, access);
    }
    // What a plain write follows, every later access that follows the write follows, too.
    const auto is_settled = [&](const Past& past) {
      if (tolerates_same_value && past.by.thread.number != state.self.number) return false;
      return access.covers(past.access) && (!races || state.knows(past.by) || is_observed(state, history, past));
    };
    std::vector<Past>& all = history.past;
    if (!access.strong()) {
      all.erase(std::remove_if(all.begin(), all.end(), is_settled), all.end());
      if (races && !tolerates_same_value) history.reads.remove_if(is_settled);
      if (!races && !tolerates_same_value) history.reads.remove_covered(access);
      if (all.empty()) history.all_strong = true;
    }
    history.all_strong = history.all_strong && access.reaches_device() && (all.empty() || access.same_bytes(all.back().access));
    all.push_back(now);
    history.trim();
  }

  void write(State& state, AccessHistory& history, const Access& access, bool observes) {
    const bool continues = access.reads() && observes;
    history.written_at = state.now;
    if (!continues) {
      history.publishes_fences = history.before_writes.is_empty() || (access.strong() && !history.written);
      history.published = {};
      ++history.chain;
      history.place = 0;
    } else {
      ++history.place;
    }
    if (access.strong()) {
      Patterns& patterns = state.patterns();
      publish_value(state, history, patterns.fenced);
      if (releases(access.how.order)) {
        ScopedKnowledge& released = patterns.released_at[history.location];
        const Knowledge now = order::publish(state);
        join(released.block, now);
        if (access.how.scope != Scope::block) join(released.device, now);
      }
      history.publishes_fences = history.publishes_fences && (state.known.fences.is_same(patterns.fenced.device.fences) ||
                                                              (releases(access.how.order) && access.how.scope != Scope::block));
      const auto released = patterns.released_at.find(history.location);
      if (released != patterns.released_at.end()) publish_value(state, history, released->second);
    }
    history.published.keep([&](std::uint32_t running) { return threads_.runs(running); });
    history.version = ++last_time;
    history.written = true;
    history.writer = state.self;
    history.write = access;
    if (access.strong() && !releases(access.how.order)) begin_time(state);
  }

  // What a pattern publishes with a strong write.
  static void publish_value(const State& state, AccessHistory& history, const ScopedKnowledge& known) {
    if (!known.block.is_empty()) join(history.published.of_block(state.self.block), known.block);
    join(history.published.device, known.device);
  }

  bool is_copier(Thread thread) const { return numbering_.is_copier(thread.number); }

  Numbering numbering_;
  Threads threads_;
  std::uint32_t lanes_of_warp_;
  Causes causes_;
  bool has_forgotten_ = false;
};

}  // namespace hirace::cpu::order
