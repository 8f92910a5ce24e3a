// Why two accesses race although their threads synchronise: what came closest to ordering them.
//
// Nothing here decides whether there is a race.
#pragma once

#include <algorithm>
#include <optional>
#include <vector>

#include "flags.h"
#include "threads.h"

namespace hirace::cpu::order {

struct Race {
  PastAccess past;
  Cause cause;
  bool unless_equal;  // if the two writes store the same value, it is none
};

// How far apart two threads are: in one warp, in one block, or in different blocks.
enum class Distance { none, warp, block, grid };

class Causes {
 public:
  Causes(Threads& threads, Numbering numbering, std::uint32_t lanes_of_warp)
      : threads_(threads), numbering_(numbering), lanes_of_warp_(lanes_of_warp) {}

  Distance between(Thread a, Thread b) const {
    if (a.block != b.block) return Distance::grid;
    return numbering_.place(a.number) / lanes_of_warp_ == numbering_.place(b.number) / lanes_of_warp_ ? Distance::warp : Distance::block;
  }

  // Whether the running access is to memory that only threads of one block access.
  bool of_block = false;

  // Whether one of two other threads is farther from a thread.
  bool is_farther(Thread self, Thread one, Thread other) const { return between(self, other) < between(self, one); }

  // Why an earlier access does not come before `access` of a thread.
  Cause of(const ThreadState& state, const PastAccess& past, const Access& access) const {
    // Two strong accesses need no other synchronisation: their bytes or their own scopes are wrong.
    if (past.access.strong() && access.strong()) return between_strong(past.access, access);
    const ThreadState& self = state.copies ? threads_.at(numbering_.issuer(state.self.number)) : state;
    const bool by_copy = numbering_.is_copier(past.by.thread.number);
    if (by_copy && knows_of_issue(self, past.by)) return {RaceCause::pending_copy};
    const std::uint32_t copies = (by_copy ? prior_copies : 0u) | (state.copies ? current_copies : 0u);
    if (by_copy) return {RaceCause::unordered_copy, 0, 0, copies | (is_waited_for(past.by) ? copy_waited_for : 0u)};
    if (const Cause cause = of_exchanges(self, past.by, {past.access, access, of_block && self.met != 0}); cause.what != RaceCause::none) return cause;
    if (const Cause cause = of_arrivals(self, past.by); cause.what != RaceCause::none) return cause;
    if (const Cause cause = of_near_arrivals(self, past.by); cause.what != RaceCause::none) return cause;
    if (state.copies) return {RaceCause::unordered_copy, 0, 0, copies};
    return {self.met_lanes.leaves_out(past.by.thread) ? RaceCause::other_lanes : RaceCause::none};
  }

 private:
  // The two accesses of a race.
  struct Pair {
    const Access& past;
    const Access& now;
    // The two access memory of their block, which has passed barriers.
    bool meets_at_barriers;

    // An atomic access that races with a plain one is no flag that orders the two.
    bool is_plain() const { return !past.strong() && !now.strong(); }
    // Nor is an exchange by which the racing access itself, or others of its line, pass on a value: a counter
    // that is set to zero without a barrier is no flag. Where barriers order what a block does in its own memory,
    // nor is a value in the grid's that neither side releases or acquires, such as a maximum.
    bool may_be_ordered_by(const Exchange& it) const {
      if (meets_at_barriers && !it.of_block && !it.releases() && !it.acquired) return false;
      return !(past.strong() && it.written == past.site) && !(now.strong() && it.read == now.site);
    }
  };

  // A report says of two atomic operations that they are too narrow, without a cause.
  static Cause between_strong(const Access& past, const Access& access) {
    if (!past.same_bytes(access)) return {RaceCause::different_bytes};
    if (past.reads() && past.writes() && access.reads() && access.writes()) return {};
    return {RaceCause::narrow_scope, past.writes() ? past.site : access.site, past.writes() ? access.site : past.site};
  }

  // Whether a thread follows the issue of a copy. Then only a wait for the copy is missing.
  bool knows_of_issue(const ThreadState& self, const Moment& copy) const {
    const Thread issuer{numbering_.issuer(copy.thread.number), copy.thread.block};
    return issuer.number == self.self.number || self.knows({issuer, copy.time & ~of_copy});
  }

  // Whether the thread that issued a copy has waited for it.
  bool is_waited_for(const Moment& copy) const {
    return threads_.runs(copy.thread.block) && threads_.at(numbering_.issuer(copy.thread.number)).knows(copy);
  }

  // By a flag that the two threads use, or that others use for their blocks or warps.
  Cause of_exchanges(const ThreadState& self, const Moment& missed, const Pair& pair) const {
    const Thread other = missed.thread;
    const auto is_after = [&](const Exchange& it) {
      return it.writer.thread.number == other.number && !(it.writer.time < missed.time) && is_flag(it);
    };
    // Or another thread passed on what `other` published.
    const auto is_meant = [&](const Exchange& it) { return pair.may_be_ordered_by(it) && (is_after(it) || it.tells_of(missed)); };
    const Exchange* own = self.last_exchange(is_meant);
    // Of a value by which neither thread synchronises, a third one may tell more.
    const bool is_likely = own != nullptr && (own->acquired || own->releases());
    const Cause passed_on = own == nullptr || is_likely ? Cause() : of_third(self, missed, pair);
    if (passed_on.what != RaceCause::none) return passed_on;
    if (own != nullptr) return {own->cause_of(missed), own->written, own->read};
    const auto is_released = [&](const Exchange& it) { return it.writer.thread.number == other.number && it.is_release() && use_of(it) == ResultUse::used; };
    const Exchange* const early = self.last_exchange([&](const Exchange& it) { return pair.may_be_ordered_by(it) && is_released(it); });
    const Cause after_release = early == nullptr ? Cause() : Cause{RaceCause::after_release, early->written, early->read};
    // Unless `self` has synchronised with others since: then that is what was meant to order the two.
    if (early != nullptr && early == self.last_exchange(is_flag)) return after_release;
    const Cause later = of_others(self, missed, pair);
    return later.what == RaceCause::none ? after_release : later;
  }

  // By a flag that a third thread wrote.
  Cause of_others(const ThreadState& self, const Moment& missed, const Pair& pair) const {
    const Thread other = missed.thread;
    // Its value was made from one that `other` wrote.
    if (!pair.is_plain()) return of_near(self, missed, pair);
    const auto is_made_by_other = [&](const ChainWrite& it) { return it.by.thread.number == other.number && !(it.by.time < missed.time); };
    const Exchange* const own =
        self.last_exchange([&](const Exchange& it) { return pair.may_be_ordered_by(it) && is_flag(it) && it.before.find(is_made_by_other) != nullptr; });
    if (own != nullptr) return of_earlier_write(*own, *own->before.find(is_made_by_other), self, missed);
    const Cause near = of_near(self, missed, pair);
    // A release that came too early, or a store that resets a counter, may belong to another round of a barrier.
    const bool is_likely = near.what != RaceCause::after_release && !is_store_of_other(near);
    if (near.what != RaceCause::none && is_likely) return near;
    const Cause earlier = of_earlier_writes(self, missed, pair);
    if (earlier.what != RaceCause::none && !is_store_of_other(earlier)) return earlier;
    const Cause third = of_third(self, missed, pair);
    if (third.what != RaceCause::none) return third;
    return near.what != RaceCause::none ? near : earlier;
  }

  // By a flag of a third thread, which itself follows the access or has read a flag that was written after it.
  Cause of_third(const ThreadState& self, const Moment& missed, const Pair& pair) const {
    if (between(self.self, missed.thread) != Distance::grid) return {};
    Cause found;
    each_reader(self, missed, [&](const ThreadState& reader, bool is_self) {
      const Exchange* const last = reader.last_exchange([&](const Exchange& it) {
        const Thread writer = it.writer.thread;
        return pair.may_be_ordered_by(it) && (it.acquired || it.releases()) && is_flag(it) && writer.block != missed.thread.block &&
               threads_.runs(writer.block) && (is_self || self.knows({reader.self, it.read_at}));
      });
      if (last != nullptr) found = of_passed_on(*last, missed);
      return found.what != RaceCause::none;
    });
    return found;
  }
  Cause of_passed_on(const Exchange& exchange, const Moment& missed) const {
    const ThreadState& writer = threads_.at(exchange.writer.thread.number);
    if (writer.knows(missed)) {
      const bool is_published = exchange.is_release() || exchange.tells_of(missed);
      return is_published ? Cause() : Cause{RaceCause::not_released, exchange.written, exchange.read, flag_written_by_third};
    }
    const auto is_near = [&](const Thread& by) { return between(by, missed.thread) < Distance::grid; };
    const auto is_after = [&](const ChainWrite& it) {
      return is_near(it.by.thread) && (it.releases_to(writer.self.block) || would_order(it.by, missed));
    };
    const auto is_near_write = [&](const Exchange& it) { return is_near(it.writer.thread) && would_order(it.writer, missed); };
    const Exchange* const read = writer.last_exchange([&](const Exchange& it) {
      return !(exchange.writer.time < it.read_at) && is_flag(it) && (is_near_write(it) || it.before.find(is_after) != nullptr);
    });
    if (read == nullptr) return {};
    Cause cause = is_near_write(*read) ? of_leaders(*read, writer, missed) : of_earlier_write(*read, *read->before.find(is_after), writer, missed);
    // Other threads pass on too much for anything less direct.
    const bool is_direct = cause.what == RaceCause::not_released || cause.what == RaceCause::not_acquired || cause.what == RaceCause::narrow_scope;
    cause.facts |= flag_read_by_third;
    return is_direct ? cause : Cause();
  }

  // By a barrier at which the thread of `missed` had arrived just before, and at which `self` has waited.
  Cause of_arrivals(const ThreadState& self, const Moment& missed) const {
    if (self.own_patterns == nullptr || !threads_.runs(missed.thread.block)) return {};
    const ThreadState& other = threads_.at(missed.thread.number);
    if (other.own_patterns == nullptr) return {};
    std::uint32_t waited_at = 0;
    const auto is_early = [&](const Arrival& it) {
      return it.by.thread.number == missed.thread.number && it.by.time < missed.time &&
             other.own_patterns->exchanges.arrived_early(it, missed.time);
    };
    const Arrival* const early = self.own_patterns->exchanges.arrival(is_early, waited_at);
    return early == nullptr ? Cause() : Cause{RaceCause::after_arrival, early->site, waited_at};
  }

  // By a barrier at which a thread near `missed` arrived after the access, for its block or warp, and one near `self` has
  // waited.
  Cause of_near_arrivals(const ThreadState& self, const Moment& missed) const {
    const Distance distance = between(self.self, missed.thread);
    if (distance == Distance::warp) return {};
    const bool is_one_warp = threads_.block(self.self.block).threads.size() <= lanes_of_warp_;
    Cause found;
    each_reader(self, missed, [&](const ThreadState& reader, bool is_self) {
      if (reader.own_patterns == nullptr) return false;
      const bool is_learned = reader.knows(missed);
      std::uint32_t waited_at = 0;
      const auto is_own = [&](const Arrival& it) { return it.by.thread.number == missed.thread.number && !(it.by.time < missed.time); };
      if (const Arrival* const arrival = is_learned ? nullptr : reader.own_patterns->exchanges.arrival_of_few(is_own, waited_at)) {
        // What it released did not reach the reader.
        if (distance == Distance::grid) found = {RaceCause::narrow_scope, arrival->site, waited_at, flag_is_barrier};
        return true;
      }
      // Each thread commits its own copies.
      const auto is_near = [&](const Arrival& it) {
        return between(it.by.thread, missed.thread) < distance && !(it.by.time < missed.time) && !numbering_.is_copier(it.by.thread.number);
      };
      const Arrival* const arrival = reader.own_patterns->exchanges.arrival_of_few(is_near, waited_at);
      if (arrival == nullptr) return false;
      // Who uses the barrier itself does not rely on others.
      const bool waits_itself = !is_self && self.own_patterns != nullptr && self.own_patterns->exchanges.waits_at(waited_at);
      if (is_learned ? waits_itself : arrives_at(missed.thread, arrival->barrier)) return false;
      const Thread one = is_learned ? reader.self : arrival->by.thread, other = is_learned ? self.self : missed.thread;
      const std::uint32_t place = flag_is_barrier | (is_one_warp || between(one, other) == Distance::block ? flag_in_other_warp : 0u);
      found = {is_learned ? RaceCause::outside_acquire : RaceCause::outside_release, arrival->site, waited_at,
               place | (is_own(*arrival) ? 0u : flag_written_by_other) | (is_self ? 0u : flag_read_by_other)};
      return is_learned;
    });
    return found;
  }

  bool arrives_at(const Thread& thread, const void* barrier) const {
    if (!threads_.runs(thread.block)) return false;
    const ThreadState& state = threads_.at(thread.number);
    return state.own_patterns != nullptr && state.own_patterns->exchanges.arrives_at(barrier);
  }

  // Calls `visit` with the threads that may have read a flag for `self`, and whether they are `self`: those of its block that
  // are closer to it than the thread of `missed`. Ends when that returns true.
  template <class Visit>
  void each_reader(const ThreadState& self, const Moment& missed, const Visit& visit) const {
    const Distance distance = between(self.self, missed.thread);
    for (const ThreadState& reader : threads_.block(self.self.block).threads) {
      const bool is_self = reader.self.number == self.self.number;
      if ((is_self || between(reader.self, self.self) < distance) && visit(reader, is_self)) return;
    }
  }

  // By a flag that a thread near `missed` wrote, and one near `self` read.
  Cause of_near(const ThreadState& self, const Moment& missed, const Pair& pair) const {
    const Thread other = missed.thread;
    const Distance distance = between(self.self, other);
    if (distance == Distance::warp) return {};
    Cause found;
    each_reader(self, missed, [&](const ThreadState& reader, bool is_self) {
      // A flag that was read beside the access, and not before it, is not what was meant to order it.
      const auto is_before = [&](const Exchange& it) { return is_self || reader.knows(missed) || self.knows({reader.self, it.read_at}); };
      const auto is_near = [&](const Exchange& it) {
        return pair.may_be_ordered_by(it) && is_flag(it) && between(it.writer.thread, other) < distance && is_before(it) &&
               (it.is_release() || would_order(it, reader, self, missed));
      };
      const Exchange* exchange = reader.last_exchange([&](const Exchange& it) { return is_near(it) && it.tells_of(missed); });
      // Rather one after the access than one before it, which may belong to an earlier round.
      if (exchange == nullptr) exchange = reader.last_exchange([&](const Exchange& it) { return is_near(it) && would_order(it, reader, self, missed); });
      if (exchange == nullptr) exchange = reader.last_exchange(is_near);
      if (exchange == nullptr) return false;
      Cause cause = of_leaders(*exchange, reader, missed);
      if (!is_self) cause.facts |= flag_read_by_other;
      note_place(cause, *exchange, self, missed);
      const bool is_closest = cause.what == RaceCause::outside_acquire;
      if (is_closest || found.what == RaceCause::none) found = cause;
      return is_closest;
    });
    return found;
  }

  // By a value that was made from one that a thread near `missed` wrote, or from what was told of that.
  Cause of_earlier_writes(const ThreadState& self, const Moment& missed, const Pair& pair) const {
    const Distance distance = between(self.self, missed.thread);
    if (distance == Distance::warp) return {};
    const std::uint32_t block = self.self.block;
    const auto is_near = [&](const ChainWrite& it) {
      return between(it.by.thread, missed.thread) < distance && (it.releases_to(block) || would_order(it.by, missed));
    };
    Cause cause;
    each_reader(self, missed, [&](const ThreadState& reader, bool is_self) {
      const Exchange* const exchange = reader.last_exchange([&](const Exchange& it) {
        return pair.may_be_ordered_by(it) && (is_self || self.knows({reader.self, it.read_at})) &&
               (it.tells_of(missed) || (is_flag(it) && it.before.find(is_near) != nullptr));
      });
      if (exchange == nullptr) return false;
      const bool is_told = exchange->tells_of(missed);
      const ChainWrite* const write = is_told ? nullptr : exchange->before.find(is_near);
      cause = is_told ? of_told(*exchange, reader, missed) : of_earlier_write(*exchange, *write, self, missed);
      if (!is_self) cause.facts |= flag_read_by_other;
      note_place(cause, *exchange, self, missed);
      return true;
    });
    return cause;
  }

  // Whether a barrier that is missing would be one of the block: no thread of the same warp uses the flag. In a block of a
  // single warp, that may be so for larger ones.
  void note_place(Cause& cause, const Exchange& exchange, const ThreadState& self, const Moment& missed) const {
    if (cause.what != RaceCause::outside_release && cause.what != RaceCause::outside_acquire) return;
    const std::vector<ThreadState>& block = threads_.block(self.self.block).threads;
    bool in_warp = false;
    if (cause.what == RaceCause::outside_release) {
      const auto is_by_warp = [&](const Moment& by) { return between(by.thread, missed.thread) < Distance::block && !(by.time < missed.time); };
      in_warp = is_by_warp(exchange.writer) || exchange.before.find([&](const ChainWrite& it) { return is_by_warp(it.by); }) != nullptr;
    } else {
      in_warp = std::any_of(block.begin(), block.end(), [&](const ThreadState& reader) {
        const auto is_same_flag = [&](const Exchange& it) { return it.read == cause.flag_read && it.tells_of(missed); };
        return between(reader.self, self.self) < Distance::block && reader.last_exchange(is_same_flag) != nullptr;
      });
    }
    if (!in_warp || block.size() <= lanes_of_warp_) cause.facts |= flag_in_other_warp;
  }

  // A write that a thread not near `missed` made, perhaps from what one near it had written, tells of it.
  static Cause of_told(const Exchange& exchange, const ThreadState& reader, const Moment& missed) {
    const RaceCause what = reader.knows(missed) ? RaceCause::outside_acquire : exchange.cause_of(missed);
    const auto is_by_same = [&](const ChainWrite& it) { return it.by.thread.number == missed.thread.number; };
    return {what, exchange.written, exchange.read, exchange.before.find(is_by_same) != nullptr ? 0u : flag_written_by_other};
  }

  // The value of an exchange was made from one that the thread of `missed` wrote, or one near it.
  Cause of_earlier_write(const Exchange& exchange, const ChainWrite& write, const ThreadState& self, const Moment& missed) const {
    const auto because = [&](RaceCause what, std::uint32_t facts) { return Cause{what, write.site, exchange.read, facts}; };
    const bool is_same = write.by.thread.number == missed.thread.number;
    const std::uint32_t facts = is_same ? 0u : flag_written_by_other;
    // Were it released to the reader's block, too, the exchange would tell of it.
    if (is_same && missed.time < write.released.block) return because(RaceCause::narrow_scope, facts);
    if (!write.releases_to(self.self.block)) return because(RaceCause::not_released, facts);
    if (write.by.time < missed.time) return because(RaceCause::after_release, facts);
    if (is_same) return because(RaceCause::not_released, facts);
    return of_unreleased(exchange, write.site, self, missed);
  }

  // A thread near `missed` has released a flag, without the access. It does so for it, unless the thread of `missed`
  // has written the flag itself: too early, or to take a permit of a semaphore that others hold as well.
  Cause of_unreleased(const Exchange& exchange, std::uint32_t written, const ThreadState& reader, const Moment& missed) const {
    const ChainWrite* const own = exchange.before.find([&](const ChainWrite& it) { return it.by.thread.number == missed.thread.number; });
    if (own == nullptr) {
      const Exchange* const read = own_write_before(exchange, missed);
      if (read != nullptr) return {read->cause_of(missed), read->written, read->read, flag_read_by_third};
      return {RaceCause::outside_release, written, exchange.read, flag_written_by_other};
    }
    if (own->by.time < missed.time && own->releases_to(reader.self.block)) return {RaceCause::after_release, own->site, exchange.read};
    return {};
  }

  // The read of what the thread of `missed` wrote itself after the access, if one thread after the other read and wrote the
  // flag from there to `last`, as they do with a lock.
  const Exchange* own_write_before(const Exchange& last, const Moment& missed) const {
    constexpr unsigned max_links = 64;
    const Exchange* link = &last;
    for (unsigned i = 0; i < max_links && link != nullptr; ++i) {
      const Moment write = link->writer;
      if (write.thread.number == missed.thread.number && !(write.time < missed.time)) return link->tells_of(missed) ? nullptr : link;
      if (!threads_.runs(write.thread.block)) return nullptr;
      link = threads_.at(write.thread.number).last_exchange([&](const Exchange& it) {
        return it.written == last.written && it.read_at < write.time && is_flag(it);
      });
    }
    return nullptr;
  }

  // Whether a flag connects the two accesses, were it released and acquired: its writer knows of the
  // first, and the second comes after its read. A thread knows of what it does itself after the write, too.
  bool would_order(const Exchange& exchange, const ThreadState& reader, const ThreadState& self, const Moment& missed) const {
    return would_order(exchange.writer, missed) && self.knows({reader.self, exchange.read_at});
  }
  bool would_order(const Moment& write, const Moment& missed) const {
    const Thread writer = write.thread;
    if (writer.number == missed.thread.number && write.time < missed.time) return false;
    if (threads_.runs(writer.block)) return threads_.at(writer.number).knows(missed);
    if (writer.number == missed.thread.number) return true;
    return writer.block == missed.thread.block && missed.time < threads_.met_before_end(writer.block);
  }

  // A thread near `missed` wrote a flag, and `reader` read it.
  Cause of_leaders(const Exchange& exchange, const ThreadState& reader, const Moment& missed) const {
    const bool is_same = exchange.writer.thread.number == missed.thread.number;
    const std::uint32_t facts = is_same ? 0u : flag_written_by_other;
    const auto because = [&](RaceCause what) { return Cause{what, exchange.written, exchange.read, facts}; };
    if (exchange.tells_of(missed)) return because(reader.knows(missed) ? RaceCause::outside_acquire : exchange.cause_of(missed));
    if (exchange.is_release() && exchange.writer.time < missed.time) return because(RaceCause::after_release);
    if (is_same || !exchange.releases()) return because(RaceCause::not_released);
    return of_unreleased(exchange, exchange.written, reader, missed);
  }

  Threads& threads_;
  const Numbering numbering_;
  const std::uint32_t lanes_of_warp_;
};

}  // namespace hirace::cpu::order
