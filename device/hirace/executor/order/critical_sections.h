// The critical sections of a lock, as the values of its location show them.
//
// A location is taken for a lock as long as threads take turns at it: one changes its value by a
// read-modify-write operation whose result the program uses, and the same thread brings the value
// back, before another thread changes it. The value in between is that of the lock when it is *free*.
// Counters, tickets and flags are no locks: their values do not come back, or another thread changes
// them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <vector>

#include "access_history.h"

namespace hirace::cpu::order {

// The place of an event among all that the predictor has seen.
using Place = std::uint64_t;
constexpr Place never = ~Place{0};

// What the order engine knows to be published by a release, by whom it reaches.
struct Published {
  std::uint32_t block = 0;
  Knowledge in_block, on_device;

  bool tells(std::uint32_t to_block, const Moment& of) const {
    return (to_block == block ? in_block : on_device).knows(of.thread, of.time);
  }
};

// From where one thread took the lock to where it released it, or, if it took it several times in a row,
// released it last.
struct Section {
  Moment taken{};  // the thread, and its time after it took the lock
  Place begin = 0;
  std::uint32_t site_taken = 0;
  // Its release, unless it is open.
  Moment released{};
  Place end = never;
  std::uint32_t site_released = 0;
  // From where on an acquire pattern orders its accesses after earlier sections: of threads of its own
  // block, and of others.
  Place entered_in_block = never, entered = never;
  // What must come before whatever follows the release in every schedule.
  Clock ends;
  // What came before this section in this schedule alone.
  Clock skipped;
  // By the release, in this schedule.
  Published published;

  bool is_open() const { return end == never; }
  // A fence or an acquire of its thread.
  void enter(Scope scope, Place at) {
    if (entered_in_block == never) entered_in_block = at;
    if (scope != Scope::block && entered == never) entered = at;
  }
};

// A thread that has read the present value.
struct ValueReader {
  std::uint32_t thread;
  Clock known;  // what comes before, and it
};

struct Lock {
  bool is_lock = true;  // until it is known not to be one
  std::int8_t first = 0;  // its bytes in the location
  std::uint8_t bytes = 0;
  std::uint32_t free_value = 0;
  // What whoever finds it free must come after, in every schedule: what preceded the first section.
  Clock before_free;
  // Of the present value: what its readers come after, and its readers.
  Clock value;
  std::vector<ValueReader> readers;
  Clock more_readers;
  std::deque<Section> sections;

  bool is_held() const { return is_lock && !sections.empty() && sections.back().is_open(); }
  bool is_held_by(std::uint32_t thread) const { return is_held() && sections.back().taken.thread.number == thread; }

  // The section that was open at a place, or null.
  const Section* at(Place place) const {
    const auto is_later = [](Place at, const Section& it) { return at < it.begin; };
    const auto after = std::upper_bound(sections.begin(), sections.end(), place, is_later);
    if (after == sections.begin()) return nullptr;
    const Section& found = *(after - 1);
    return place <= found.end ? &found : nullptr;
  }

  // Forgets a section if there are too many. Returns where the last forgotten one ended.
  Place trim() {
    if (sections.size() <= max_sections) return 0;
    const Place end = sections.front().end;
    sections.pop_front();
    return end;
  }

  void add_reader(std::uint32_t thread, const Clock& known) {
    forget_reader(thread);
    readers.push_back({thread, known});
    if (readers.size() <= max_readers) return;
    more_readers.join(readers.front().known);
    readers.erase(readers.begin());
  }
  void forget_reader(std::uint32_t thread) {
    const auto is_its_own = [&](const ValueReader& it) { return it.thread == thread; };
    readers.erase(std::remove_if(readers.begin(), readers.end(), is_its_own), readers.end());
  }
  // The value has changed.
  void forget_readers() {
    readers.clear();
    more_readers = {};
  }

 private:
  static constexpr std::size_t max_sections = 64, max_readers = 32;
};

}  // namespace hirace::cpu::order
