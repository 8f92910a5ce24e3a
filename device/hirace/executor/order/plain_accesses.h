// Accesses to locations without a history (location.h).
#pragma once

#include <algorithm>
#include <memory>

#include "location.h"
#include "threads.h"

namespace hirace::cpu::order {

inline Moment moment_of(Numbering numbering, const LastAccess& last) { return {{last.thread, numbering.block_of(last.thread)}, last.time}; }

// A plain access to a location without a history. False if it needs one: it races, or later
// accesses may race with one access and not with another.
inline bool follow_plain(Numbering numbering, const ThreadState& state, Location& location, const Access& access) {
  if (access.strong()) return false;
  LastAccess &write = location.write, &read = location.read;
  if (write.is_made() && !state.knows(moment_of(numbering, write))) return false;
  const auto covers = [&](const LastAccess& last) { return !last.is_made() || access.covers(last.access(false)); };
  if (access.writes()) {
    if (!covers(write) || !covers(read) || (read.is_made() && !state.knows(moment_of(numbering, read)))) return false;
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
  if (!covers(read) || !state.knows(moment_of(numbering, read))) return false;
  read.set(state.self.number, state.now, access);
  return true;
}

inline void begin_history(Threads& threads, Numbering numbering, Location& location) {
  location.history = std::make_unique<AccessHistory>();
  AccessHistory& history = *location.history;
  history.location = location.id;
  history.version = ++last_time;
  if (location.write.is_made()) {
    const Moment by = moment_of(numbering, location.write);
    history.write = location.write.access(true);
    history.written = true;
    history.writer = by.thread;
    history.written_at = by.time;
    history.chain = 1;
    history.past.push_back({by, history.write, 1, 0});
    history.latest = by.time;
    history.strong_past.add(history.write, by.thread.block);
    // More than those before the access: it races, or whoever comes knows of them.
    history.before_writes = threads.fences_of(by.thread);
    history.tells_of_fences = !history.before_writes.is_empty();
  }
  if (location.read.is_made()) {
    history.reads.add(moment_of(numbering, location.read), location.read.access(false));
    history.latest = std::max(history.latest, location.read.time);
    history.strong_reads.add(location.read.access(false), moment_of(numbering, location.read).thread.block);
    history.before_reads = threads.fences_of(moment_of(numbering, location.read).thread);
    history.tells_of_fences = history.tells_of_fences || !history.before_reads.is_empty();
  }
}

// After a plain write: if all earlier accesses come before it, it is enough to remember.
inline void end_history(const ThreadState& state, Location& location, const Access& access) {
  const AccessHistory& history = *location.history;
  if (history.past.size() != 1 || !history.reads.is_empty()) return;
  location.set_write(state.self.number, state.now, access);
  location.history = nullptr;
}

}  // namespace hirace::cpu::order
