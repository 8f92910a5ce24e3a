// What a thread knows: which operations of other threads come before its next one in base causality
// order (PTX ISA, "Causality Order").
//
// A thread's time has two parts. The first counts the barriers of its whole block, so that one
// number says that all threads of a block are known up to a barrier. The second counts what the
// thread published since: operations between two publications have the same time, because nobody
// can know one of them without the other.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace hirace::cpu::order {

struct Time {
  std::uint32_t phase;   // barriers of the whole block
  std::uint32_t number;  // publications since the last of them

  friend bool operator<(Time a, Time b) { return a.phase != b.phase ? a.phase < b.phase : a.number < b.number; }
  friend bool operator==(Time a, Time b) { return a.phase == b.phase && a.number == b.number; }
};

// A thread with the block that it is in; both by number in the grid.
struct Thread {
  std::uint32_t number, block;
};

// Knowledge that never changes once it is shared. Blocks and threads are sorted by number.
class Clock {
 public:
  using Block = std::pair<std::uint32_t, std::uint32_t>;  // its threads are known below this phase
  using Single = std::pair<std::uint32_t, Time>;          // the thread is known up to this time

  bool knows(Thread thread, Time time) const {
    const auto block = std::lower_bound(blocks_.begin(), blocks_.end(), Block{thread.block, 0});
    if (block != blocks_.end() && block->first == thread.block && time.phase < block->second) return true;
    const auto single = find(thread.number);
    return single != singles_.end() && single->first == thread.number && !(single->second < time);
  }

  // Adds what another clock knows. Returns whether that was anything new.
  bool join(const Clock& other) {
    const std::size_t before = blocks_.size() + singles_.size();
    bool grew = false;
    blocks_ = merged(blocks_, other.blocks_, grew);
    singles_ = merged(singles_, other.singles_, grew);
    return grew || blocks_.size() + singles_.size() != before;
  }

  void learn(Thread thread, Time time) {
    const auto at = singles_.begin() + (find(thread.number) - singles_.begin());
    if (at == singles_.end() || at->first != thread.number) {
      singles_.insert(at, {thread.number, time});
    } else if (at->second < time) {
      at->second = time;
    }
  }

  // All threads of a block with these numbers have met at a barrier, and are in `phase` now.
  void learn_block(std::uint32_t block, std::uint32_t phase, std::uint32_t first_thread, std::uint32_t threads) {
    const auto at = std::lower_bound(blocks_.begin(), blocks_.end(), Block{block, 0});
    if (at == blocks_.end() || at->first != block) {
      blocks_.insert(at, {block, phase});
    } else {
      at->second = std::max(at->second, phase);
    }
    const auto covered = [&](const Single& single) {
      return single.first - first_thread < threads && single.second.phase < phase;
    };
    singles_.erase(std::remove_if(singles_.begin(), singles_.end(), covered), singles_.end());
  }

 private:
  std::vector<Single>::const_iterator find(std::uint32_t thread) const {
    const auto before = [](const Single& single, std::uint32_t number) { return single.first < number; };
    return std::lower_bound(singles_.begin(), singles_.end(), thread, before);
  }

  template <class Entry>
  static std::vector<Entry> merged(const std::vector<Entry>& a, const std::vector<Entry>& b, bool& grew) {
    std::vector<Entry> result;
    result.reserve(a.size() + b.size());
    auto i = a.begin(), j = b.begin();
    while (i != a.end() || j != b.end()) {
      if (j == b.end() || (i != a.end() && i->first < j->first)) {
        result.push_back(*i++);
      } else if (i == a.end() || j->first < i->first) {
        result.push_back(*j++);
      } else {
        grew = grew || i->second < j->second;
        result.push_back(i->second < j->second ? *j : *i);
        ++i;
        ++j;
      }
    }
    return result;
  }

  std::vector<Block> blocks_;
  std::vector<Single> singles_;
};

// A clock that many threads and locations may hold; none knows nothing.
using Knowledge = std::shared_ptr<const Clock>;

inline void join(Knowledge& into, const Knowledge& from) {
  if (from == nullptr || into == from) return;
  if (into == nullptr) {
    into = from;
    return;
  }
  auto both = std::make_shared<Clock>(*into);
  if (both->join(*from)) into = std::move(both);
}

}  // namespace hirace::cpu::order
