// Predicts races of other schedules: accesses that this schedule ordered only by the order in which threads
// took a lock.
//
// The engine (engine.h) judges the execution that happened. There, a release of a lock comes before the
// next acquire. But a thread that finds a lock free reads the same value whether or not others have held
// it before. So the predictor follows a second order, of what is the same in every schedule in which the
// threads read the same values (necessary_order.h). It contains
// - program order, and barriers of any kind;
// - from a write to whoever reads its value, and from a reader to the next write: the value of a flag, of
//   a counter, of a ticket or of data may decide what its reader does. That includes atomic operations and
//   plain accesses; not updates whose result the program does not use (`count++;`), against one another;
// - of the sections of one lock (critical_sections.h): the release of an earlier one before a later one, if
//   the later thread follows anything that comes after the beginning of the earlier one.
// Attempts in vain, such as a compare-and-swap that a loop repeats, count as if the last one had been the
// only one.
//
// Two conflicting accesses that the engine finds ordered and the second order does not are a possible
// race, unless both are in sections of one lock whose release and acquire patterns have the scope for the two
// threads.
//
// Of a lock, only the last sections are kept, and of a location the last accesses: what came before the end of a
// forgotten section is not predicted, and a forgotten access counts as one that others follow. Both hide
// predictions and cause no false ones. Nothing here changes what the engine finds.
#pragma once

#include <algorithm>
#include <memory>
#include <optional>
#include <unordered_map>
#include <vector>

#include "causes.h"
#include "engine.h"
#include "followed_accesses.h"

namespace hirace::cpu::order {

class Predictor {
 public:
  explicit Predictor(Numbering numbering) : numbering_(numbering), followers_(numbering) {}

  void begin_block(std::uint32_t block, std::uint32_t threads, const Knowledge& told) {
    followers_.begin_block(block, threads);
    for (Follower& follower : followers_.block(block)) learn(follower, told);
  }
  void end_block(std::uint32_t block) {
    settle();
    followers_.end_block(block);
    for (auto& [id, location] : shared_[block]) forget(location.lock.get());
    shared_.erase(block);
  }

  void block_barrier(std::uint32_t block) {
    settle();
    Clock all;
    for (const Follower& follower : followers_.block(block)) all.join(follower.known());
    const Time now = all.learn_block(block);
    for (Follower& follower : followers_.block(block)) follower.meet_block(all, now);
  }
  void meet(std::uint32_t first, std::uint32_t lanes) {
    settle();
    const auto each = [&](auto&& visit) {
      for (std::uint32_t rest = lanes; rest != 0; rest &= rest - 1) visit(followers_.at(first + static_cast<std::uint32_t>(__builtin_ctz(rest))));
    };
    Clock all;
    each([&](const Follower& follower) { all.join(follower.known()); });
    const Time now = all.learn(first, lanes);
    each([&](Follower& follower) { follower.meet(all, now); });
  }
  void launch_barrier() {
    pending_.clear();
    followers_.restart();
    locks_.clear();
    held_.clear();
    rejected_.clear();
    global_.clear();
    shared_.clear();
  }

  // For barriers with arrivals and waits of their own.
  Knowledge publish(std::uint32_t thread) {
    settle();
    Follower& self = followers_.at(thread);
    self.end_attempts();
    Knowledge known;
    known.Clock::join(self.publish());
    self.renew();
    return known;
  }
  void wait(std::uint32_t thread, const Knowledge& arrived) {
    settle();
    Follower& self = followers_.at(thread);
    self.end_attempts();
    learn(self, arrived);
  }

  // It may complete the acquire patterns of the locks that the thread holds.
  void fence(std::uint32_t thread, Scope scope) {
    settle();
    ++place_;
    for (Lock* const lock : held_) {
      if (lock->is_held_by(thread)) lock->sections.back().enter(scope, place_);
    }
  }

  // Calls report(past, cause) for each earlier access that may race with this one in another schedule.
  template <class Report>
  void access(Engine& engine, LocationId id, const SeenAccess& seen, const Report& report) {
    settle();
    ++place_;
    Followed& location = (seen.of_block ? shared_[numbering_.block_of(seen.thread)] : global_)[id];
    Follower& self = followers_.at(seen.thread);
    if (seen.is_first) {
      if (location.lock != nullptr) forget(location.lock.get());
      location = {};
    }
    const Use use{seen.access, used_values_.uses(seen.access)};
    if (!seen.access.strong() && location.repeats(self, use)) return;
    for (auto past = location.steps.rbegin(); past != location.steps.rend(); ++past) {
      if (past->place <= horizon_) break;
      // Most accesses to data of several threads are protected.
      if (past->by.thread.number == seen.thread || !past->use.conflicts(use) || is_protected(self, *past)) continue;
      if (self.knows(past->by) || !engine.follows(seen.by.thread.number, past->in_engine)) continue;
      if (const std::optional<Cause> cause = hand_over(self, *past)) report(past->as_past(), *cause);
    }
    if (seen.access.strong()) {
      pending_.push_back({&location, id, seen, use, seen.value(), seen.published(numbering_.block_of(seen.thread)), place_});
      return;
    }
    self.end_attempts();
    learn_uses(location, self, use);
    remember(location, self, use, seen.by, place_);
  }

 private:
  using Locations = std::unordered_map<LocationId, Followed>;

  // A strong access. Its operation is made between its check and the next event.
  struct Pending {
    Followed* location;
    LocationId id;
    SeenAccess seen;
    Use use;
    std::uint32_t before;
    Published published;
    Place place;
  };
  // What it did to the value.
  enum class Effect { reads, takes, releases, changes, repeats };

  // Protection

  // Whether both are in sections of one lock, with the right scopes. The sections of a thread are also those
  // that others have begun for it, such as one thread for its block.
  bool is_protected(const Follower& self, const Step& past) const {
    const auto protects = [&](const Lock* lock) {
      const Section* const earlier = lock->at(past.place);
      const Section& now = lock->sections.back();
      if (earlier == nullptr || earlier == &now || !self.knows(now.taken) || !past.is_in(*earlier)) return false;
      return is_in_scope(self, past, *earlier, now);
    };
    const auto may_protect = [&](const Lock* lock) { return Predictor::may_protect(*lock, self, past); };
    return std::any_of(held_.begin(), held_.end(), protects) || std::any_of(rejected_.begin(), rejected_.end(), may_protect);
  }
  bool is_in_scope(const Follower& self, const Step& past, const Section& earlier, const Section& now) const {
    const bool same_block = past.by.thread.block == self.self.block;
    const auto entered = [&](const Section& section) { return same_block ? section.entered_in_block : section.entered; };
    return entered(earlier) <= past.place && entered(now) <= place_ && earlier.published.tells(self.self.block, past.in_engine);
  }
  // By a location that was taken for a lock, and is none: then it is unknown where its sections end.
  static bool may_protect(const Lock& lock, const Follower& self, const Step& past) {
    const Section* const earlier = lock.at(past.place);
    if (earlier == nullptr || !past.is_in(*earlier)) return false;
    return std::any_of(lock.sections.begin(), lock.sections.end(), [&](const Section& it) { return &it != earlier && self.knows(it.taken); });
  }

  // The lock whose order has ordered the two: of several the one that was taken last.
  std::optional<Cause> hand_over(const Follower& self, const Step& past) const {
    const Section *from = nullptr, *to = nullptr;
    for (const Lock* const lock : locks_) {
      for (std::size_t at = 1; at < lock->sections.size(); ++at) {
        const Section &earlier = lock->sections[at - 1], &later = lock->sections[at];
        if (to != nullptr && later.begin < to->begin) continue;
        if (!self.knows(later.taken) || !earlier.published.tells(later.taken.thread.block, past.in_engine)) continue;
        from = &earlier;
        to = &later;
      }
    }
    if (to == nullptr) return std::nullopt;
    return Cause{RaceCause::lock_order, from->site_released, to->site_taken};
  }

  // What a thread learns

  void learn(Follower& self, const Clock& clock) {
    if (self.learn(clock)) follow_held(self);
  }
  // In a section of a lock, what follows the beginning of an earlier section follows all of it.
  void follow_held(Follower& self) const {
    const auto follow = [&](const Lock* lock) { return self.knows(lock->sections.back().taken) && follow_begun(self, *lock); };
    // One may tell of another.
    while (std::any_of(held_.begin(), held_.end(), follow)) {
    }
  }
  // Returns whether that was news.
  static bool follow_begun(Follower& self, const Lock& lock) {
    bool is_news = false;
    for (const Section& section : lock.sections) {
      const bool is_due = !section.is_open() && self.knows(section.taken) && !self.knows(section.released);
      if (is_due) is_news = self.learn(section.ends) || is_news;
    }
    return is_news;
  }
  void find_free(Follower& self, const Lock& lock) {
    const bool is_news = self.learn(lock.before_free);
    if (follow_begun(self, lock) || is_news) follow_held(self);
  }

  // A thread that looks at a free lock and does not take it may rely on nobody holding it: then others look
  // for that thread, in their sections.
  void look_at_free(Follower& self, const Lock& lock) {
    learn(self, lock.before_free);
    for (const Section& section : lock.sections) learn(self, section.ends);
  }

  // Of the accesses that decide what this one reads, or that read what it is about to change.
  void learn_uses(const Followed& location, Follower& self, const Use& use) {
    for (const Step& step : location.steps) {
      if (step.use.decides(use) && !self.knows(step.by)) learn(self, step.known);
    }
    learn_forgotten(location.plain, self, use);
    if (!use.access.strong()) learn_forgotten(location.strong, self, use);
  }
  void learn_forgotten(const Forgotten& forgotten, Follower& self, const Use& use) {
    if (use.uses) learn(self, forgotten.writes);
    if (use.access.writes()) learn(self, forgotten.reads);
  }
  void learn_readers(Follower& self, Lock& lock) {
    for (const ValueReader& reader : lock.readers) {
      if (reader.thread != self.self.number) learn(self, reader.known);
    }
    learn(self, lock.more_readers);
    lock.forget_readers();
  }

  void remember(Followed& location, Follower& self, const Use& use, const Moment& in_engine, Place place) {
    location.remember(self, {{self.self, self.now()}, in_engine, use, place, self.publish()}, horizon_, held_.empty());
  }

  // Strong accesses

  void settle() {
    for (const Pending& access : pending_) settle(access);
    pending_.clear();
  }
  void settle(const Pending& access) {
    Followed& location = *access.location;
    Follower& self = followers_.at(access.seen.thread);
    Lock& lock = lock_at(location, access);
    const std::uint32_t site = access.use.access.site;
    const Effect effect = effect_on(lock, self, access, access.seen.value());
    const bool was_in_vain = effect == Effect::takes ? self.succeed(access.id) : access.use.access.reads() && self.retry(access.id, site);
    if (was_in_vain) lock.forget_reader(self.self.number);
    if (effect == Effect::reads) {
      self.attempt(access.id, site);
    } else {
      self.end_attempts();
    }
    learn_uses(location, self, access.use);
    learn_value(lock, self, access, effect);
    remember(location, self, access.use, access.seen.by, access.place);
    change_value(lock, self, access, effect);
  }

  Lock& lock_at(Followed& location, const Pending& access) {
    const Access& now = access.use.access;
    if (location.lock == nullptr) {
      location.lock = std::make_unique<Lock>();
      location.lock->first = now.first;
      location.lock->bytes = now.bytes;
    }
    Lock& lock = *location.lock;
    if (lock.first != now.first || lock.bytes != now.bytes) reject(lock);
    return lock;
  }

  Effect effect_on(Lock& lock, const Follower& self, const Pending& access, std::uint32_t after) {
    const Access& now = access.use.access;
    const bool changes = now.writes() && after != access.before;
    if (!changes) return now.reads() ? Effect::reads : Effect::repeats;
    if (lock.is_held_by(self.self.number) && after == lock.free_value) return Effect::releases;
    const bool is_fresh = lock.sections.empty();
    const bool is_free = lock.is_lock && !lock.is_held() && (is_fresh || access.before == lock.free_value);
    if (is_free && now.reads() && access.use.uses) {
      if (is_fresh) lock.free_value = access.before;
      return Effect::takes;
    }
    // A store before the first section initialises the lock.
    if (!is_fresh || now.reads()) reject(lock);
    return Effect::changes;
  }

  void learn_value(Lock& lock, Follower& self, const Pending& access, Effect effect) {
    const bool is_free = lock.is_lock && !lock.sections.empty() && !lock.is_held();
    switch (effect) {
      case Effect::takes:
        if (lock.sections.empty()) lock.before_free = lock.value;
        find_free(self, lock);
        return learn_readers(self, lock);
      case Effect::reads:
        if (!access.use.uses) return;
        return is_free ? look_at_free(self, lock) : learn(self, lock.value);
      case Effect::changes:
        if (access.use.uses) learn(self, lock.value);
        return learn_readers(self, lock);
      case Effect::releases: return lock.forget_readers();
      case Effect::repeats: return;
    }
  }

  void change_value(Lock& lock, Follower& self, const Pending& access, Effect effect) {
    const Access& now = access.use.access;
    switch (effect) {
      case Effect::reads:
        if (access.use.uses) lock.add_reader(self.self.number, self.publish());
        break;
      case Effect::takes: return begin_section(lock, self, access);
      case Effect::releases: {
        Section& section = lock.sections.back();
        section.released = {self.self, self.now()};
        section.end = access.place;
        section.site_released = now.site;
        section.ends = self.publish();
        section.published = access.published;
        lock.value = section.ends;
        held_.erase(std::find(held_.begin(), held_.end(), &lock));
        horizon_ = std::max(horizon_, lock.trim());
        break;
      }
      case Effect::changes:
      case Effect::repeats:
        // The program does not use what this one read, and later readers may depend on both.
        if (effect == Effect::changes && (!now.reads() || access.use.uses)) lock.value = {};
        lock.value.join(self.publish());
        break;
    }
    self.renew();
  }

  void begin_section(Lock& lock, Follower& self, const Pending& access) {
    const Access& now = access.use.access;
    held_.push_back(&lock);
    if (!lock.sections.empty() && lock.sections.back().taken.thread.number == self.self.number) {
      lock.sections.back().end = never;
      lock.value = self.publish();
      return self.renew();
    }
    Section section;
    section.skipped = lock.value;
    lock.value = self.publish();
    self.renew();
    section.taken = {self.self, self.now()};
    section.begin = access.place;
    section.site_taken = now.site;
    if (acquires(now.how.order)) section.enter(now.how.scope, access.place);
    if (lock.sections.empty()) locks_.push_back(&lock);
    lock.sections.push_back(std::move(section));
  }

  // It is no lock: the order of its values is the same in every schedule, as that of a counter or a flag.
  void reject(Lock& lock) {
    if (!lock.is_lock) return;
    if (lock.is_held()) held_.erase(std::find(held_.begin(), held_.end(), &lock));
    lock.is_lock = false;
    if (lock.sections.size() > 1) rejected_.push_back(&lock);
    for (const Section& section : lock.sections) {
      if (followers_.runs(section.taken.thread)) followers_.at(section.taken.thread.number).learn(section.skipped);
      lock.value.join(section.skipped);
      lock.value.join(section.ends);
    }
  }
  void forget(Lock* lock) {
    for (std::vector<Lock*>* const list : {&locks_, &held_, &rejected_}) list->erase(std::remove(list->begin(), list->end(), lock), list->end());
  }

  Numbering numbering_;
  Followers followers_;
  Locations global_;
  std::unordered_map<std::uint32_t, Locations> shared_;
  std::vector<Pending> pending_;
  // Those that have sections, those that are held, and those with several sections that are none.
  std::vector<Lock*> locks_, held_, rejected_;
  // Where the last forgotten section ended.
  Place horizon_ = 0;
  UsedValues used_values_;
  Place place_ = 0;
};

}  // namespace hirace::cpu::order
