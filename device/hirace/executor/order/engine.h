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

#include "location.h"

namespace hirace::cpu::order {

class Engine {
 public:
  explicit Engine(std::uint32_t threads_of_block) : threads_of_block_(threads_of_block) {}

  // The threads of a block begin and end: only blocks that run take memory.
  void begin_block(std::uint32_t block) {
    std::vector<State>& threads = blocks_[block].threads;
    threads.resize(threads_of_block_);
    for (std::uint32_t at = 0; at < threads_of_block_; ++at) threads[at].self = {block * stride() + at, block};
  }
  void end_block(std::uint32_t block) {
    if (running_ == block) last_ = nullptr;
    blocks_.erase(block);
  }

  // An access. Returns the earlier access that it races with, or none.
  std::optional<Race> access(std::uint32_t thread, Location& location, const Access& access) {
    State& state = state_of(thread);
    const bool observes = access.reads() && access.strong() && location.written && is_morally_strong(state.self, access, location.writer, location.write);
    if (access.reads() && access.strong() && location.written) note(state, location, access, observes);
    if (observes) see(state, location, access);
    if (access.reads() && acquires(access.how.order)) acquire(state, location, access);
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
      join(state.known, sequential_.in_block(state.self.block));
      if (scope != Scope::block) join(state.known, sequential_.device);
    }
    for (Exchange& exchange : state.exchanges) exchange.fenced_for_block = scope == Scope::block;
    const Knowledge now = publish(state);
    state.fenced.block = now;
    if (scope != Scope::block) state.fenced.device = now;
    if (sequential) {
      join(sequential_.of_block(state.self.block), now);
      if (scope != Scope::block) join(sequential_.device, now);
    }
  }

  // All threads of a block pass a barrier.
  void block_barrier(std::uint32_t block) {
    Block& all = block_of(block);
    Knowledge known;
    for (const State& state : all.threads) join(known, state.known);
    known.learn_block(block, ++all.phase, block * stride(), threads_of_block_);
    for (State& state : all.threads) {
      state.known = known;
      state.now = {all.phase, 0};
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
      state.met_first = first;
      state.met_lanes = lanes;
    });
  }

  // All threads of the launch pass a barrier. The caller forgets all locations.
  void launch_barrier() {
    for (auto& [number, block] : blocks_) {
      for (State& state : block.threads) state.forget();
    }
    sequential_ = {};
  }

  // Each thread has a copier, which performs its asynchronous copies: it knows what the thread knew when
  // it issued a copy, and nobody knows what it does unless they wait for it. Returns its number.
  std::uint32_t begin_copy(std::uint32_t thread) {
    Block& block = block_of(thread / stride());
    if (block.copiers.empty()) {
      block.copiers.resize(threads_of_block_);
      const std::uint32_t first = thread / stride() * stride() + threads_of_block_;
      for (std::uint32_t at = 0; at < threads_of_block_; ++at) {
        block.copiers[at].self = {first + at, thread / stride()};
        // No barrier of the block tells of it.
        block.copiers[at].now = {~std::uint32_t{0}, 1};
      }
    }
    State& copier = block.copiers[thread % stride()];
    join(copier.known, publish(state_of(thread)));
    // Its copies are unordered: it knows of earlier ones what the thread knew.
    ++copier.now.number;
    return copier.self.number;
  }

  // A thread arrives at a barrier of any other kind: what it knows, and what it has done until now.
  Knowledge arrive(std::uint32_t thread) { return publish(state_of(thread)); }

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
    // For explanations: the last exchanges, and the lanes of the last barrier of a warp.
    std::vector<Exchange> exchanges;
    std::uint32_t met_first = 0, met_lanes = 0;
    // The same for single locations: what an acquire of a location that was read before learns, and
    // what a strong write to a location that was released before publishes.
    std::unordered_map<const Location*, Pair> seen_at, released_at;

    void forget() {
      known = {};
      seen = fenced = {};
      exchanges.clear();
      seen_at.clear();
      released_at.clear();
    }
  };

  struct Block {
    std::vector<State> threads, copiers;
    std::uint32_t phase = 0;
  };

  Block& block_of(std::uint32_t block) {
    if (last_ == nullptr || running_ != block) {
      last_ = &blocks_[block];
      running_ = block;
    }
    return *last_;
  }
  // Numbers of a block: its threads, then their copiers.
  std::uint32_t stride() const { return 2 * threads_of_block_; }
  State& state_of(std::uint32_t thread) {
    Block& block = block_of(thread / stride());
    const std::uint32_t at = thread % stride();
    return at < threads_of_block_ ? block.threads[at] : block.copiers[at - threads_of_block_];
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
    for (const Past& past : location.past) {
      if (!(past.access.writes() || access.writes()) || !past.access.overlaps(access)) continue;
      if (knows(state, past.by) || is_morally_strong(past.by.thread, past.access, state.self, access)) continue;
      if (!is_observed(state, location, past)) return explained(state, past, access);
    }
    return std::nullopt;
  }

  static void note(State& state, const Location& location, const Access& access, bool morally_strong) {
    if (location.writer.number == state.self.number) return;
    std::vector<Exchange>& all = state.exchanges;
    const Knowledge narrow = location.published.in_block(location.writer.block);
    const Knowledge reached = location.writer.block == state.self.block ? narrow : location.published.device;
    const Moment writer{location.writer, location.written_at};
    Exchange now{writer, location.write.site, access.site, morally_strong, false, reached, narrow};
    const auto same = [&](const Exchange& it) {
      return it.writer.thread.number == writer.thread.number && it.written == now.written && it.read == now.read;
    };
    const auto before = std::find_if(all.begin(), all.end(), same);
    if (before != all.end()) all.erase(before);
    if (all.size() == most_exchanges) all.erase(all.begin());
    all.push_back(std::move(now));
  }

  Race explained(const State& state, const Past& past, const Access& access) const {
    Race race{past};
    const Thread other = past.by.thread;
    if (is_copier(other)) {
      race.cause = RaceCause::pending_copy;
      return race;
    }
    if (past.access.strong() && access.strong() && !past.access.same_bytes(access)) {
      race.cause = RaceCause::different_bytes;
      return race;
    }
    for (auto it = state.exchanges.rbegin(); it != state.exchanges.rend(); ++it) {
      if (it->writer.thread.number != other.number || it->writer.time < past.by.time) continue;
      race.cause = it->cause_of(past.by);
      race.flag_written = it->written;
      race.flag_read = it->read;
      return race;
    }
    const bool same_warp = other.number - state.met_first < 32;
    if (same_warp && state.met_lanes != 0 && (state.met_lanes >> (other.number - state.met_first) & 1) == 0) {
      race.cause = RaceCause::other_lanes;
    }
    return race;
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
    std::vector<Past>& all = location.past;
    // A report names the first of several equal reads.
    const auto is_equal = [&](const Past& past) {
      return precedes(past.by, state) && past.by.time == state.now && !past.access.strong() && !past.access.writes() &&
             access.same_bytes(past.access);
    };
    if (!access.strong() && !access.writes() && std::any_of(all.begin(), all.end(), is_equal)) return;
    const auto is_settled = [&](const Past& past) {
      if (!access.covers(past.access)) return false;
      // What a plain write follows, every later access that follows the write follows, too.
      if (!access.strong() && access.writes()) return knows(state, past.by) || is_observed(state, location, past);
      // A later access of the same thread and kind is harder to follow. A strong write is not: it may
      // be observed.
      const bool same_kind = past.access.strong() == access.strong() && past.access.how.scope == access.how.scope;
      return past.by.thread.number == state.self.number && same_kind && access.same_bytes(past.access) && !access.writes() && !past.access.writes();
    };
    all.erase(std::remove_if(all.begin(), all.end(), is_settled), all.end());
    all.push_back({by, access, location.chain, location.place});
    if (all.size() > most_past || location.observers.size() > most_observers) trim(location);
  }

  // Forgets half of what a location with many accesses has: counters, and locks that many threads
  // take. What is forgotten can hide a race, and cannot cause a false one.
  static void trim(Location& location) {
    std::vector<Past>& past = location.past;
    std::vector<Observer>& observers = location.observers;
    std::size_t strong = 0;
    const auto is_old = [&](const Past& it) { return it.access.strong() && ++strong <= most_past / 2; };
    if (past.size() > most_past) past.erase(std::remove_if(past.begin(), past.end(), is_old), past.end());
    if (observers.size() <= most_observers) return;
    for (std::size_t at = 0; at < most_observers / 2; ++at) {
      const Observer& gone = observers[at];
      const auto is_excused = [&](const Past& it) { return it.chain == gone.chain && it.place <= gone.place; };
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
    if (location.published.blocks.size() > most_blocks) forget_ended(location.published);
    location.written = true;
    location.writer = state.self;
    location.written_at = state.now;
    location.write = access;
  }

  // Nobody of a block that has ended asks for what was published to it.
  void forget_ended(Publication& published) const {
    auto& all = published.blocks;
    const auto has_ended = [&](const auto& entry) { return blocks_.count(entry.first) == 0; };
    all.erase(std::remove_if(all.begin(), all.end(), has_ended), all.end());
  }

  bool is_copier(Thread thread) const { return thread.number % stride() >= threads_of_block_; }

  static constexpr std::size_t most_past = 64, most_observers = 64, most_exchanges = 8, most_blocks = 32;

  std::uint32_t threads_of_block_;
  std::unordered_map<std::uint32_t, Block> blocks_;
  // The block that was asked for last.
  Block* last_ = nullptr;
  std::uint32_t running_ = 0;
  Publication sequential_;  // by the fence.sc operations so far
};

}  // namespace hirace::cpu::order
