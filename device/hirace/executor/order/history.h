// Why two accesses race although their threads synchronise: what came closest to ordering them.
//
// Nothing here decides whether there is a race.
#pragma once

#include <algorithm>
#include <vector>

#include "../../generated/wire.h"
#include "location.h"

namespace hirace::cpu::order {

struct Cause {
  RaceCause what = RaceCause::none;
  std::uint32_t flag_written = 0, flag_read = 0;  // sites
};

struct Race {
  Past past;
  Cause cause;
};

// What a thread did last to synchronise with others.
class ThreadHistory {
 public:
  // A strong read of a value that another thread wrote. A plain write is no attempt to synchronise,
  // nor is an operation that returns nothing.
  void read(Thread self, const Location& location, const Access& access, bool morally_strong) {
    if (location.writer.number == self.number || !location.write.strong() || !access.how.returns_value) return;
    const Knowledge narrow = location.published.in_block(location.writer.block);
    const Knowledge reached = location.writer.block == self.block ? narrow : location.published.device;
    const Moment writer{location.writer, location.written_at};
    Exchange now{writer, location.write.site, access.site, morally_strong, false, reached, narrow};
    const auto same = [&](const Exchange& it) {
      return it.writer.thread.number == writer.thread.number && it.written == now.written && it.read == now.read;
    };
    const auto before = std::find_if(exchanges_.begin(), exchanges_.end(), same);
    if (before != exchanges_.end()) exchanges_.erase(before);
    if (exchanges_.size() == most_exchanges) exchanges_.erase(exchanges_.begin());
    exchanges_.push_back(std::move(now));
  }

  void fence(Scope scope) {
    for (Exchange& exchange : exchanges_) exchange.fenced_for_block = scope == Scope::block;
  }

  // A barrier of some lanes of a warp that begins with the thread `first`: a bit for each that came.
  struct Meeting {
    std::uint32_t first = 0, size = 0, lanes = 0;
  };
  void meet(const Meeting& last) { met_ = last; }

  // Why an earlier access does not come before `access` of this thread.
  Cause cause(const Past& past, const Access& access, bool by_copy) const {
    if (by_copy) return {RaceCause::pending_copy};
    // Two strong accesses need no other synchronisation: their bytes or their own scopes are wrong.
    if (past.access.strong() && access.strong()) return between_strong(past.access, access);
    const Thread other = past.by.thread;
    for (auto it = exchanges_.rbegin(); it != exchanges_.rend(); ++it) {
      const bool by_other = it->writer.thread.number == other.number && !(it->writer.time < past.by.time);
      // Or another thread passed on what `other` published.
      if (by_other || it->tells_of(past.by)) return {it->cause_of(past.by), it->written, it->read};
    }
    const std::uint32_t lane = other.number - met_.first;
    const bool other_lanes = lane < met_.size && (met_.lanes >> lane & 1) == 0;
    return {other_lanes ? RaceCause::other_lanes : RaceCause::none};
  }

 private:
  // A report says of two atomic operations that they are too narrow, without a cause.
  static Cause between_strong(const Access& past, const Access& access) {
    if (!past.same_bytes(access)) return {RaceCause::different_bytes};
    if (past.reads() && past.writes() && access.reads() && access.writes()) return {};
    return {RaceCause::narrow_scope, past.writes() ? past.site : access.site, past.writes() ? access.site : past.site};
  }

  // How two threads may have meant to synchronise.
  struct Exchange {
    Moment writer;
    std::uint32_t written, read;  // sites
    bool morally_strong;
    bool fenced_for_block;  // a fence of block scope followed, and no other
    // What the writer published with the value: to the reader, and to its own block.
    Knowledge reached, narrow;

    bool tells_of(const Moment& missed) const {
      return reached.knows(missed.thread, missed.time) || narrow.knows(missed.thread, missed.time);
    }

    // Why the reader has not learnt of what the writer did before.
    RaceCause cause_of(const Moment& missed) const {
      if (!morally_strong) return RaceCause::narrow_scope;
      if (reached.knows(missed.thread, missed.time)) return fenced_for_block ? RaceCause::narrow_scope : RaceCause::not_acquired;
      return narrow.knows(missed.thread, missed.time) ? RaceCause::narrow_scope : RaceCause::not_released;
    }
  };

  static constexpr std::size_t most_exchanges = 8;

  std::vector<Exchange> exchanges_;
  Meeting met_;
};

}  // namespace hirace::cpu::order
