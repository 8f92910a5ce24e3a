// A time for each of many threads and blocks. A search fills one and asks it again and again, so that it is
// one piece of memory: a hash table with linear probing.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "causality_node.h"

namespace hirace::cpu::order {

class TimeTable {
 public:
  std::size_t size() const { return size_; }
  void swap(TimeTable& other) {
    entries_.swap(other.entries_);
    std::swap(size_, other.size_);
  }

  // The latest time that was noted for a key; 0 if there is none.
  Time find(std::uint64_t key) const { return entries_.empty() ? 0 : entries_[place_of(key)].time; }
  // `time` is not 0.
  void note(std::uint64_t key, Time time) {
    if (4 * (size_ + 1) > 3 * entries_.size()) grow();
    Entry& entry = entries_[place_of(key)];
    if (entry.time == 0) ++size_;
    entry.key = key;
    entry.time = std::max(entry.time, time);
  }
  void note_all(const TimeTable& other) {
    for (const Entry& entry : other.entries_) {
      if (entry.time != 0) note(entry.key, entry.time);
    }
  }

 private:
  struct Entry {
    std::uint64_t key;
    Time time;  // 0 in an empty one
  };
  static constexpr std::size_t smallest = 16;

  std::size_t place_of(std::uint64_t key) const {
    const std::size_t mask = entries_.size() - 1;
    std::size_t place = (key * 0x9e3779b97f4a7c15u >> 32) & mask;
    while (entries_[place].time != 0 && entries_[place].key != key) place = (place + 1) & mask;
    return place;
  }
  void grow() {
    std::vector<Entry> old(std::max(smallest, 2 * entries_.size()));
    old.swap(entries_);
    for (const Entry& entry : old) {
      if (entry.time != 0) entries_[place_of(entry.key)] = entry;
    }
  }

  std::vector<Entry> entries_;  // a power of two
  std::size_t size_ = 0;
};

}  // namespace hirace::cpu::order
