// What the order engine knows of the threads of the blocks that run.
#pragma once

#include <memory>
#include <unordered_map>
#include <vector>

#include "history.h"

namespace hirace::cpu::order {

// A strong read: of a location, at a version of its history and a time of the thread, after fences of the
// thread.
struct Poll {
  LocationId location = 0;
  Time version = 0, time = 0;
  Access access{};
  FenceClocks fences;
};

// Something for each of a few locations; but there may be many.
template <class Value>
class ByLocation {
 public:
  Value& operator[](LocationId location) {
    if (Value* const found = find(location)) return *found;
    if (entries_.size() >= few) places_.emplace(location, entries_.size());
    return entries_.emplace_back(location, Value()).second;
  }
  Value* find(LocationId location) {
    const std::size_t begin = entries_.size() < few ? entries_.size() : few;
    for (std::size_t at = begin; at > 0; --at) {
      if (entries_[at - 1].first == location) return &entries_[at - 1].second;
    }
    if (entries_.size() <= few) return nullptr;
    const auto found = places_.find(location);
    return found == places_.end() ? nullptr : &entries_[found->second].second;
  }
  void clear() {
    entries_.clear();
    places_.clear();
  }

 private:
  static constexpr std::size_t few = 8;

  std::vector<std::pair<LocationId, Value>> entries_;
  // Those after the first few.
  std::unordered_map<LocationId, std::size_t> places_;
};

// What a thread has done that may become, or is, a part of a release or acquire pattern (engine.h).
struct Patterns {
  ScopedKnowledge seen, fenced;
  ReleasedUntil fenced_until;
  // Of the fence.sc operations before what it has read, `seen` knows: until a fence, only this thread.
  FenceClocks told;
  // There has been a fence, or a release.
  bool may_publish = false;
  // The same as `seen` and `fenced` for single locations: what an acquire of a location that was read before learns, and
  // what a strong write to a location that was released before publishes.
  ByLocation<ScopedKnowledge> seen_at, released_at;
  Poll polls[2];
  unsigned next_poll = 0;
  ThreadHistory exchanges;
};

struct ThreadState {
  Thread self;
  bool copies = false;  // it is a copier
  Time now = last_time;
  // The last barrier of the whole block, and the last one of some lanes, if none of the block followed.
  Time met = 0;
  Meeting met_lanes;
  Knowledge known;
  // Of a copier: what it knew when the last copy was issued.
  Clock issued;
  // Most threads of most programs have none.
  std::unique_ptr<Patterns> own_patterns;

  Patterns& patterns() {
    if (own_patterns == nullptr) own_patterns = std::make_unique<Patterns>();
    return *own_patterns;
  }

  Moment moment() const { return {self, now}; }

  // The last strong read that satisfies a condition, or null.
  template <class Condition>
  const Exchange* last_exchange(const Condition& holds) const {
    return own_patterns != nullptr ? own_patterns->exchanges.last(holds) : nullptr;
  }

  bool knows(const Moment& moment) const {
    // Of the same thread, or of the same copy.
    if (moment.thread.number == self.number && (!copies || moment.time == now || !holds(Rule::copies_are_unordered))) return true;
    return has_met(moment) || known.knows(moment.thread, moment.time);
  }

  // Whether a barrier of the whole block came after it: so most operations are known.
  bool has_met(const Moment& moment) const { return moment.thread.block == self.block && moment.time < met; }

  void forget() {
    known = {};
    own_patterns = nullptr;
  }
};

class Threads {
 public:
  struct Block {
    std::vector<ThreadState> threads, copiers;
  };

  explicit Threads(Numbering numbering) : numbering_(numbering) {}

  void begin_block(std::uint32_t block, std::uint32_t threads) {
    number(blocks_[block].threads, threads, block, numbering_.thread(block, 0), false);
  }
  void end_block(std::uint32_t block) {
    if (last_number_ == block) last_block_ = nullptr;
    FenceClocks last;
    for (const ThreadState& state : blocks_[block].threads) last.join(state.known.fences);
    if (!last.is_empty()) last_fences_[block] = last;
    if (const std::vector<ThreadState>& all = blocks_[block].threads; !all.empty() && all.front().met != 0) {
      ended_[next_ended_++ % kept_ended] = {block, all.front().met};
    }
    blocks_.erase(block);
  }
  // What the fence.sc operations of a thread know, or of all threads of its block if that has ended.
  FenceClocks fences_of(Thread thread) {
    if (runs(thread.block)) return at(thread.number).known.fences;
    const auto last = last_fences_.find(thread.block);
    return last == last_fences_.end() ? FenceClocks() : last->second;
  }
  bool runs(std::uint32_t block) const { return blocks_.count(block) != 0; }
  // When a block that has ended met last; 0 if it did not, or ended long ago.
  Time met_before_end(std::uint32_t block) const {
    for (const Ended& it : ended_) {
      if (it.met != 0 && it.block == block) return it.met;
    }
    return 0;
  }

  Block& block(std::uint32_t block) {
    if (last_block_ == nullptr || last_number_ != block) {
      last_block_ = &blocks_[block];
      last_number_ = block;
      last_first_ = numbering_.thread(block, 0);
    }
    return *last_block_;
  }

  // A thread or a copier.
  ThreadState& at(std::uint32_t thread) {
    // Most often of the block that was asked for last: without a division.
    const std::uint32_t threads = numbering_.threads_of_block();
    if (last_block_ == nullptr || thread - last_first_ >= numbering_.slots_of_block()) block(numbering_.block_of(thread));
    const std::uint32_t place = thread - last_first_;
    return place < threads ? last_block_->threads[place] : last_block_->copiers[place - threads];
  }

  ThreadState& copier_of(std::uint32_t thread, Copier which) {
    const std::uint32_t number_of_block = numbering_.block_of(thread);
    Block& own = block(number_of_block);
    std::vector<ThreadState>& copiers = own.copiers;
    if (copiers.empty()) {
      // The numbers that are not those of threads.
      const std::uint32_t first = numbering_.copier(numbering_.thread(number_of_block, 0), Copier::copies);
      number(copiers, copiers_of_thread * numbering_.threads_of_block(), number_of_block, first, true);
    }
    return at(numbering_.copier(thread, which));
  }

  // The blocks that run.
  template <class Visit>
  void each_block(const Visit& visit) const {
    for (const auto& [number, block] : blocks_) visit(number);
  }

  // All threads, without their copiers.
  template <class Visit>
  void each(const Visit& visit) {
    for (auto& [number, block] : blocks_) {
      for (ThreadState& state : block.threads) visit(state);
    }
  }

 private:
  struct Ended {
    std::uint32_t block = 0;
    Time met = 0;
  };
  static constexpr std::size_t kept_ended = 64;

  static void number(std::vector<ThreadState>& states, std::uint32_t threads, std::uint32_t block, std::uint32_t first, bool copies) {
    states.resize(threads);
    for (std::uint32_t place = 0; place < threads; ++place) {
      states[place].self = {first + place, block};
      states[place].copies = copies;
    }
  }

  Numbering numbering_;
  std::unordered_map<std::uint32_t, Block> blocks_;
  // Of blocks that have ended, if they had any.
  std::unordered_map<std::uint32_t, FenceClocks> last_fences_;
  // The last ones that had barriers: what explains a race may be there.
  Ended ended_[kept_ended];
  std::size_t next_ended_ = 0;
  // The block that was asked for last.
  Block* last_block_ = nullptr;
  std::uint32_t last_number_ = 0, last_first_ = 0;
};

}  // namespace hirace::cpu::order
