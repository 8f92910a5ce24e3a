// Whether two racing writes stored the same value.
//
// A hook checks a write before it is made. When it races with an earlier write, memory still has that
// one's value. The two are compared before the running OS thread does anything else that concerns the
// checker: the thread's budget is set to zero, so that its next check comes to settle_write() first,
// and so do switches of threads.
#pragma once

#include <cstring>

#include "recorder.h"
#include "thread.h"

namespace hirace::cpu {

class AwaitedWrite {
 public:
  static constexpr std::size_t max_bytes = 16;

  // Whether a write of so many bytes, which is being checked, can be compared.
  static bool can_compare(std::size_t bytes) { return bytes <= max_bytes && !monitor.stores_later && monitor.copies == Copier::none; }

  // `slot` gets the result; null if the record was dropped.
  void await(std::uintptr_t address, std::size_t bytes, Record* slot) {
    begin(address, bytes);
    slot_ = slot;
  }
  // The record is added only if the values differ. The engine may find several for one access.
  void await(std::uintptr_t address, std::size_t bytes, const Record& record, const Whereabouts& where) {
    if (monitor.awaits_value) return;
    begin(address, bytes);
    slot_ = nullptr;
    held_ = record;
    held_where_ = where;
    holds_ = true;
  }

  // Returns whether it has added a record of a definite race.
  bool settle() {
    Monitor& m = monitor;
    m.awaits_value = false;
    m.granted += static_cast<std::uint64_t>(budget_);
    m.budget += budget_;
    const bool equal = std::memcmp(reinterpret_cast<const void*>(address_), before_, bytes_) == 0;
    if (slot_ != nullptr) recorder().note_facts(*slot_, equal ? equal_values : other_values);
    const bool adds = holds_ && !equal;
    holds_ = false;
    if (adds) {
      held_.facts |= other_values;
      recorder().add(held_, [&](Whereabouts& where) { where = held_where_; }, [&] { return held_where_.origin; });
    }
    return adds && held_.not_modelled == 0;
  }

 private:
  void begin(std::uintptr_t address, std::size_t bytes) {
    Monitor& m = monitor;
    address_ = address;
    bytes_ = bytes;
    std::memcpy(before_, reinterpret_cast<const void*>(address), bytes);
    budget_ = m.budget > 0 ? m.budget : 0;
    m.granted -= static_cast<std::uint64_t>(budget_);
    m.budget -= budget_;
    m.awaits_value = true;
  }

  std::uintptr_t address_ = 0;
  std::size_t bytes_ = 0;
  unsigned char before_[max_bytes] = {};
  std::int32_t budget_ = 0;  // what the thread had left
  Record* slot_ = nullptr;
  bool holds_ = false;
  Record held_{};
  Whereabouts held_where_{};
};

inline thread_local AwaitedWrite awaited_write;

}  // namespace hirace::cpu
