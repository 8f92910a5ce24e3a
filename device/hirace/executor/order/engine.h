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
#include <unordered_map>
#include <vector>

#include "history.h"
#include "location.h"

namespace hirace::cpu::order {

class Engine {
 public:
  explicit Engine(std::uint32_t threads_of_block, std::uint32_t lanes_of_warp = 32)
      : numbering_(threads_of_block), lanes_of_warp_(lanes_of_warp) {}

  // The threads of a block begin and end: only blocks that run take memory.
  void begin_block(std::uint32_t block) {
    std::vector<State>& threads = blocks_[block].threads;
    threads.resize(numbering_.threads_of_block());
    for (std::uint32_t at = 0; at < threads.size(); ++at) threads[at].self = {numbering_.thread(block, at), block};
  }
  void end_block(std::uint32_t block) {
    if (last_number_ == block) last_block_ = nullptr;
    blocks_.erase(block);
  }

  // An access. Returns the earlier access that it races with, or none.
  std::optional<Race> access(std::uint32_t thread, Location& location, const Access& access) {
    State& state = state_of(thread);
    const bool observes = access.reads() && access.strong() && location.written && is_morally_strong(state.self, access, location.writer, location.write);
    if (access.reads() && access.strong() && location.written) state.history.read(state.self, location, access, observes);
    if (observes) see(state, location, access);
    if (access.reads()) {
      communicate(state, location.before_writes, location.before_reads);
      if (observes) state.known.communicated.join(location.before_present);
    }
    if (access.reads() && acquires(access.how.order)) acquire(state, location, access);
    if (access.writes()) {
      // A plain write has no place in the coherence order among writes that it races with.
      const bool follows = access.strong();
      if (follows) location.before_present.join(location.before_reads);
      if (follows) state.known.communicated.join(location.before_present);
      communicate(state, follows ? location.before_writes : FenceClocks(), location.before_writes);
    }
    const std::optional<Race> racing = find_race(state, location, access);
    // What the access observes comes before later operations, not before the access itself.
    if (observes) observe(state, location);
    remember(state, location, access, observes);
    return racing;
  }

  // A fence (PTX ISA, "fence"); `sequential` is fence.sc.
  void fence(std::uint32_t thread, Scope scope, bool sequential) {
    State& state = state_of(thread);
    join(state.known, state.seen.block);
    if (scope != Scope::block) join(state.known, state.seen.device);
    if (sequential) {
      state.known.Clock::join(state.known.communicated.reaching(state.self.block, scope));
      if (scope != Scope::block) state.known.fences.join(state.known.communicated);
    }
    state.history.fence(scope);
    Knowledge now = publish(state);
    if (sequential) {
      state.known.fences.join(FenceClocks(now, state.self.block, scope));
      now.fences = state.known.fences;
    }
    state.fenced.block = now;
    if (scope != Scope::block) state.fenced.device = now;
  }

  // All threads of a block pass a barrier.
  void block_barrier(std::uint32_t block) {
    Block& all = block_of(block);
    Knowledge known;
    for (const State& state : all.threads) join(known, state.known);
    known.learn_block(block, ++all.phase, numbering_.thread(block, 0), numbering_.threads_of_block());
    for (State& state : all.threads) {
      state.known = known;
      state.now = {all.phase, 0};
      state.history.meet({});
    }
  }

  // Some threads of a block meet at a barrier: `lanes` has a bit for each, from the thread `first`.
  void meet(std::uint32_t first, std::uint32_t lanes) {
    Knowledge known;
    const auto each = [&](auto&& visit) {
      for (std::uint32_t rest = lanes; rest != 0; rest &= rest - 1) visit(state_of(first + static_cast<std::uint32_t>(__builtin_ctz(rest))));
    };
    each([&](const State& state) { join(known, state.known); });
    each([&](State& state) {
      known.learn(state.self, state.now);
      ++state.now.number;
    });
    each([&](State& state) {
      state.known = known;
      state.history.meet({first, lanes_of_warp_, lanes});
    });
  }

  // All threads of the launch pass a barrier. The caller forgets all locations.
  void launch_barrier() {
    for (auto& [number, block] : blocks_) {
      for (State& state : block.threads) state.forget();
    }
  }

  // A thread issues a copy. Its copier knows what the thread knew then, and nobody knows what it does
  // unless they wait for it. Returns its number.
  std::uint32_t begin_copy(std::uint32_t thread) {
    const std::uint32_t number = numbering_.block_of(thread);
    Block& block = block_of(number);
    if (block.copiers.empty()) {
      block.copiers.resize(numbering_.threads_of_block());
      const std::uint32_t first = numbering_.copier(numbering_.thread(number, 0));
      for (std::uint32_t at = 0; at < block.copiers.size(); ++at) {
        block.copiers[at].self = {first + at, number};
        // No barrier of the block tells of it.
        block.copiers[at].now = {~std::uint32_t{0}, 1};
      }
    }
    State& copier = block.copiers[numbering_.place(thread)];
    join(copier.known, publish(state_of(thread)));
    // Its copies are unordered: it knows of earlier ones what the thread knew.
    ++copier.now.number;
    return copier.self.number;
  }

  // What a thread knows and has done until now, for those who wait for it.
  Knowledge publish(std::uint32_t thread) { return publish(state_of(thread)); }

  // What a thread knows of others, until it is told something else.
  Knowledge known(std::uint32_t thread) { return state_of(thread).known; }
  void set_known(std::uint32_t thread, const Knowledge& known) { state_of(thread).known = known; }

  // A thread has waited at such a barrier, at which others have arrived with this knowledge.
  void wait(std::uint32_t thread, const Knowledge& arrived) { join(state_of(thread).known, arrived); }

 private:
  // What a thread has read and may learn at its next fence, or has fenced and publishes with its next
  // strong write: of operations in its own block, and of those with the scope of the device.
  struct Pair {
    Knowledge block, device;
  };

  struct State {
    Thread self;
    Time now{0, 1};
    Knowledge known;
    Pair seen, fenced;
    // The same as `seen` and `fenced` for single locations: what an acquire of a location that was read before learns, and
    // what a strong write to a location that was released before publishes.
    std::unordered_map<const Location*, Pair> seen_at, released_at;
    ThreadHistory history;

    void forget() {
      known = {};
      seen = fenced = {};
      history = {};
      seen_at.clear();
      released_at.clear();
    }
  };

  struct Block {
    std::vector<State> threads, copiers;
    std::uint32_t phase = 0;
  };

  Block& block_of(std::uint32_t block) {
    if (last_block_ == nullptr || last_number_ != block) {
      last_block_ = &blocks_[block];
      last_number_ = block;
    }
    return *last_block_;
  }
  State& state_of(std::uint32_t thread) {
    Block& block = block_of(numbering_.block_of(thread));
    return (numbering_.is_copier(thread) ? block.copiers : block.threads)[numbering_.place(thread)];
  }

  // Whether an earlier operation is of the same thread, or of the same copy.
  bool precedes(const Moment& moment, const State& state) const {
    return moment.thread.number == state.self.number && (!is_copier(state.self) || moment.time == state.now);
  }

  bool knows(const State& state, const Moment& moment) const {
    if (precedes(moment, state)) return true;
    return state.known.knows(moment.thread, moment.time);
  }

  // PTX ISA, "Morally Strong Operations": in program order, or both strong with scopes that include
  // each other's thread; and with the same bytes.
  bool is_morally_strong(Thread a, const Access& of_a, Thread b, const Access& of_b) const {
    if (!of_a.same_bytes(of_b)) return false;
    if (a.number == b.number && !is_copier(a)) return true;
    return of_a.strong() && of_b.strong() && includes(of_a.how.scope, a, b) && includes(of_b.how.scope, b, a);
  }

  // Everything up to now, for others; what the thread does next is later.
  static Knowledge publish(State& state) {
    Knowledge known = state.known;
    known.learn(state.self, state.now);
    ++state.now.number;
    return known;
  }

  // A strong read of the present value of the location: what this published is learned at the next
  // fence, and at the next acquire of the location. The read of a `red` returns nothing that a later
  // operation could act on.
  static void see(State& state, const Location& location, const Access& access) {
    if (!access.how.returns_value) return;
    const Pair value{location.published.in_block(state.self.block), location.published.device};
    for (Pair* const pair : {&state.seen, &state.seen_at[&location]}) {
      join(pair->block, value.block);
      join(pair->device, value.device);
    }
  }

  // An access follows those with the fences `earlier`: they come before the thread's next
  // fence.sc. The thread's own fences come before those of accesses that will follow this one.
  static void communicate(State& state, const FenceClocks& earlier, FenceClocks& later) {
    state.known.communicated.join(earlier);
    later.join(state.known.fences);
  }

  // An acquire ends the patterns that began with it and with earlier strong reads of the location.
  static void acquire(State& state, const Location& location, const Access& access) {
    const auto seen = state.seen_at.find(&location);
    if (seen == state.seen_at.end()) return;
    join(state.known, seen->second.block);
    if (access.how.scope != Scope::block) join(state.known, seen->second.device);
  }

  static void observe(const State& state, Location& location) {
    for (Observer& observer : location.observers) {
      if (observer.by.thread.number == state.self.number && observer.chain == location.chain && observer.by.time == state.now) {
        observer.place = std::max(observer.place, location.place);
        return;
      }
    }
    location.observers.push_back({{state.self, state.now}, location.chain, location.place});
  }

  std::optional<Race> find_race(const State& state, const Location& location, const Access& access) const {
    const auto races = [&](const Past& past) {
      if (!(past.access.writes() || access.writes()) || !past.access.overlaps(access)) return false;
      if (knows(state, past.by) || is_morally_strong(past.by.thread, past.access, state.self, access)) return false;
      return !is_observed(state, location, past);
    };
    const auto explained = [&](const Past& past) { return Race{past, state.history.cause(past, access, is_copier(past.by.thread))}; };
    const auto found = std::find_if(location.past.begin(), location.past.end(), races);
    if (found != location.past.end()) return explained(*found);
    if (!access.writes()) return std::nullopt;
    const auto read = std::find_if(location.reads.begin(), location.reads.end(), races);
    return read != location.reads.end() ? std::optional(explained(*read)) : std::nullopt;
  }

  // Whether the thread knows a read that observed the write.
  bool is_observed(const State& state, const Location& location, const Past& past) const {
    if (!past.access.writes()) return false;
    for (const Observer& observer : location.observers) {
      if (observer.chain == past.chain && observer.place >= past.place && knows(state, observer.by)) return true;
    }
    return false;
  }

  void remember(State& state, Location& location, const Access& access, bool observes) {
    const Moment by{state.self, state.now};
    if (access.writes()) write(state, location, access, observes);
    const Past now{by, access, location.chain, location.place};
    if (!access.strong() && !access.writes()) return location.reads.add(now);
    const auto is_settled = [&](const Past& past) {
      if (!access.covers(past.access)) return false;
      // What a plain write follows, every later access that follows the write follows, too.
      if (!access.strong()) return knows(state, past.by) || is_observed(state, location, past);
      // A later access of the same thread and kind is harder to follow. A strong write is not: it may
      // be observed.
      const bool same_kind = past.access.strong() && past.access.how.scope == access.how.scope;
      return past.by.thread.number == state.self.number && same_kind && access.same_bytes(past.access) && !access.writes() && !past.access.writes();
    };
    std::vector<Past>& all = location.past;
    all.erase(std::remove_if(all.begin(), all.end(), is_settled), all.end());
    if (!access.strong()) location.reads.remove_if(is_settled);
    all.push_back(now);
    if (all.size() > 2 * most_past || location.observers.size() > most_observers) trim(location);
  }

  // Forgets half of what a location with many accesses has: counters, locks that many threads take,
  // and plain writes that race. What is forgotten can hide a race, and cannot cause a false one.
  static void trim(Location& location) {
    std::vector<Past>& past = location.past;
    std::vector<Observer>& observers = location.observers;
    for (const bool strong : {true, false}) {
      const auto is_kind = [&](const Past& it) { return it.access.strong() == strong; };
      if (std::count_if(past.begin(), past.end(), is_kind) <= most_past) continue;
      int seen = 0;
      const auto is_old = [&](const Past& it) { return is_kind(it) && ++seen <= most_past / 2; };
      past.erase(std::remove_if(past.begin(), past.end(), is_old), past.end());
    }
    if (observers.size() <= most_observers) return;
    for (std::size_t at = 0; at < most_observers / 2; ++at) {
      const Observer& gone = observers[at];
      const auto is_excused = [&](const Past& it) { return it.access.writes() && it.chain == gone.chain && it.place <= gone.place; };
      past.erase(std::remove_if(past.begin(), past.end(), is_excused), past.end());
    }
    observers.erase(observers.begin(), observers.begin() + most_observers / 2);
  }

  void write(State& state, Location& location, const Access& access, bool observes) {
    const bool continues = access.reads() && observes;
    if (!continues) {
      location.published = {};
      ++location.chain;
      location.place = 0;
    } else {
      ++location.place;
    }
    if (access.strong()) {
      Pair& released = state.released_at[&location];
      if (releases(access.how.order)) {
        const Knowledge now = publish(state);
        join(released.block, now);
        if (access.how.scope != Scope::block) join(released.device, now);
      }
      Knowledge& block = location.published.of_block(state.self.block);
      join(block, state.fenced.block);
      join(block, released.block);
      join(location.published.device, state.fenced.device);
      join(location.published.device, released.device);
    }
    location.published.keep([&](std::uint32_t running) { return blocks_.count(running) != 0; });
    location.written = true;
    location.writer = state.self;
    location.written_at = state.now;
    location.write = access;
  }

  bool is_copier(Thread thread) const { return numbering_.is_copier(thread.number); }

  static constexpr std::size_t most_observers = 64;
  static constexpr int most_past = 64;

  Numbering numbering_;
  std::uint32_t lanes_of_warp_;
  std::unordered_map<std::uint32_t, Block> blocks_;
  // The block that was asked for last.
  Block* last_block_ = nullptr;
  std::uint32_t last_number_ = 0;
};

}  // namespace hirace::cpu::order
