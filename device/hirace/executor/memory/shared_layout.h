// Shared memory: the positions of the program's __shared__ variables in a block's slot.
//
//   0            dynamic_begin     + dynamic size
//   | variables | dynamic shared | red zone ... |
//
// Every declaration has one place for the whole program, assigned before main(), so that its
// address is the base of the running block plus an offset.
#pragma once

#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <optional>
#include <vector>

#include "arena.h"
#include "device_heap.h"
#include "shared_variable.h"

namespace hirace::cpu {

class SharedLayout {
 public:
  // A place for a variable. Gaps between variables are poisoned in every slot.
  std::size_t reserve(std::size_t bytes, std::size_t align, std::uint64_t key, const ArrayShape& shape) {
    const std::lock_guard lock(mutex_);
    if (slots_ != 0) {
      std::fputs("hirace: a library that was loaded after the first launch declares shared memory; load it before\n", stderr);
      std::_Exit(2);
    }
    const std::size_t begin = round_up(static_bytes_, align < minimum_alignment ? minimum_alignment : align);
    gaps_.push_back({begin + bytes, gap_bytes});
    variables_.push_back({begin, bytes, key, shape});
    static_bytes_ = begin + bytes + gap_bytes;
    return begin;
  }

  struct Variable {
    std::size_t begin = 0, bytes = 0;
    std::uint64_t key = 0;
    ArrayShape shape;
  };

  // The variable around an offset into a slot; without bytes if there is none.
  Variable variable_at(std::size_t offset) {
    const std::lock_guard lock(mutex_);
    for (const Variable& each : variables_) {
      if (offset >= each.begin && offset - each.begin < each.bytes) return each;
    }
    return {};
  }

  // The last variable that begins at an offset or before it; without bytes if there is none.
  Variable last_before(std::size_t offset) {
    const std::lock_guard lock(mutex_);
    Variable last;
    for (const Variable& each : variables_) {
      if (each.begin <= offset && each.begin >= last.begin) last = each;
    }
    return last;
  }

  std::size_t dynamic_begin() const { return round_up(static_bytes_, dynamic_alignment); }
  std::size_t slot_bytes() const { return round_up(dynamic_begin() + max_dynamic_shared_bytes + red_zone_bytes, page_bytes); }

  // The start of the slot that an address of shared memory is in.
  std::uintptr_t slot_of(std::uintptr_t address) const {
    const std::uintptr_t base = arena().base();
    return address - (address - base) % slot_bytes();
  }

  // Memory for one more resident block, never released; null if there is no more.
  char* take_slot() {
    const std::lock_guard lock(mutex_);
    const std::size_t offset = slots_ * slot_bytes();
    if (offset + slot_bytes() > arena().shared_bytes()) return nullptr;
    char* const slot = reinterpret_cast<char*>(arena().base()) + offset;
    const auto begin = reinterpret_cast<std::uintptr_t>(slot);
    if (!Arena::commit(begin, begin + slot_bytes())) return nullptr;
    ++slots_;
    device_heap().with_lock([&] {
      for (const Gap& gap : gaps_) poison(slot + gap.begin, gap.bytes, Poison::red_zone);
      poison(slot + static_bytes_, dynamic_begin() - static_bytes_, Poison::red_zone);
    });
    return slot;
  }

  // Moves the beginning of the red zone to the end of the dynamic shared memory of a launch. It may begin at 0 in a launch
  // without shared memory.
  void set_red_zone(char* slot, std::optional<std::size_t>& red_zone, std::size_t begin) {
    if (red_zone == begin) return;
    const std::size_t old = red_zone.value_or(slot_bytes());
    device_heap().with_lock([&] {
      if (begin < old) poison(slot + begin, old - begin, Poison::red_zone);
      else unpoison(slot + old, begin - old);
    });
    red_zone = begin;
  }

 private:
  static constexpr std::size_t minimum_alignment = 16;
  static constexpr std::size_t dynamic_alignment = 128;
  static constexpr std::size_t gap_bytes = 32;
  static constexpr std::size_t red_zone_bytes = 4096;

  struct Gap {
    std::size_t begin, bytes;
  };

  std::mutex mutex_;
  std::vector<Gap> gaps_;
  std::vector<Variable> variables_;
  std::size_t static_bytes_ = 0;
  std::size_t slots_ = 0;
};

inline SharedLayout& shared_layout() {
  static SharedLayout* const layout = new SharedLayout;
  return *layout;
}

HIRACE_RUNTIME bool is_shared_memory(const volatile void* pointer) {
  return reinterpret_cast<std::uintptr_t>(pointer) - arena().base() < arena().shared_bytes();
}

HIRACE_RUNTIME std::size_t reserve_shared(std::size_t bytes, std::size_t align, std::uint64_t key, const ArrayShape& shape) {
  return shared_layout().reserve(bytes, align, key, shape);
}

}  // namespace hirace::cpu
