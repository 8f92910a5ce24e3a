// What the order engine remembers of a granule: in its shadow word, as long as that is enough.
//
// The word of a granule whose last access was a plain one of all its bytes, after all others, has the
// thread and the time of that access, and its state says whether it wrote (Layout::choose_for_order).
// So the inline part of the check (check.h) makes the first access of a launch, and skips those that
// repeat the last one. Of all other granules the word has a mark only: the engine has their locations.
#pragma once

#include "../order/launch_order.h"
#include "access_extent.h"
#include "check.h"

namespace hirace::cpu {

class OrderedGranule {
 public:
  OrderedGranule(Monitor& m, Granule granule, bool shared)
      : monitor_(m), granule_(granule), shared_(shared), word_(m.words[granule]),
        locations_(shared ? order::running->shared(current_launch.layout.block_of(m.me)) : order::running->global()) {
    order::running->recent_reads.forget(granule + m.first_granule);
    is_kept_ = state_of(word_) == followed_state && !stale(word_, shared);
    if (is_kept_) return;
    location_.id = granule + m.first_granule + 1;
    if (!stale(word_, shared)) read_word();
  }
  // Stores what has become of the location.
  ~OrderedGranule() {
    order::Location& now = location();
    touch(monitor_, granule_);
    std::uint32_t& place = monitor_.places[granule_];
    if (Word word; has_word(now, word)) {
      if (is_kept_) locations_.remove(place);
      word_ = word;
      return;
    }
    if (is_kept_) return;
    if (locations_.has(place, now.id)) {
      locations_[place] = std::move(now);
    } else {
      place = locations_.add(std::move(now));
    }
    word_ = mark(followed_state, monitor_.me & ~current_launch.layout.time_field());
  }
  OrderedGranule(const OrderedGranule&) = delete;
  OrderedGranule& operator=(const OrderedGranule&) = delete;

  order::Location& location() { return is_kept_ ? locations_[monitor_.places[granule_]] : location_; }

 private:
  static Word mark(unsigned state, Word me) { return (Word{state} << state_shift) | (me & ~(state_field | unchecked_flag)); }

  void read_word() {
    const Layout& layout = current_launch.layout;
    const bool writes = state_of(word_) == static_cast<unsigned>(State::write);
    const std::uint32_t thread =
        order::running->numbering.thread(layout.block_of(word_), static_cast<std::uint32_t>(layout.thread_of(word_)));
    const order::Time time = order::running->began + (word_ & layout.time_field());
    const std::uint32_t site = monitor_.sites[granule_];
    order::Access access{{}, 0, granule_bytes, static_cast<std::uint8_t>(writes ? AccessKind::write : AccessKind::read), site & site_mask};
    const bool goes_on = monitor_.words[granule_ + 1] == word_ && (monitor_.sites[granule_ + 1] & site_continued) != 0;
    if ((site & site_continued) != 0 || goes_on) {
      Witness whole{};
      AccessExtent(monitor_, shared_).find(granule_ * granule_bytes, whole);
      if (whole.size == 0) {
        access.kind |= order::only_part;
      } else {
        access.first = static_cast<std::int8_t>(-static_cast<int>(whole.offset));
        access.bytes = whole.size;
      }
    }
    (writes ? location_.write : location_.read).set(thread, time, access);
  }

  // Whether a word can tell what is remembered. Sets it, and the site beside it.
  bool has_word(const order::Location& now, Word& word) {
    if (now.history != nullptr || now.bytes != nullptr || now.is_empty()) return false;
    if (now.write.is_made() == now.read.is_made() && order::holds(order::Rule::word_tells_of_one_access)) return false;
    const order::LastAccess& last = now.write.is_made() ? now.write : now.read;
    const Layout& layout = current_launch.layout;
    // That of a copy does not fit.
    const order::Time time = last.time - order::running->began;
    const bool is_whole = last.access(false).covers_all(order::Location::byte_count) || !order::holds(order::Rule::word_tells_of_whole_granules);
    if (!is_whole || time > layout.time_field()) return false;
    const order::Numbering& numbering = order::running->numbering;
    const Word who = last.thread == ordered_thread()
                         ? monitor_.me & ~layout.time_field()
                         : layout.identity(current_launch.epoch, numbering.block_of(last.thread), numbering.place(last.thread));
    word = mark(static_cast<unsigned>(now.write.is_made() ? State::write : State::read), who | static_cast<Word>(time));
    monitor_.sites[granule_] = last.first < 0 ? last.site | site_continued : last.site;
    return true;
  }

  Monitor& monitor_;
  const Granule granule_;
  const bool shared_;
  Word& word_;
  order::Locations& locations_;
  // The location, unless the engine keeps it.
  order::Location location_;
  bool is_kept_;
};

}  // namespace hirace::cpu
