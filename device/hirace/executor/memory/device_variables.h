// The __device__ and __managed__ variables of the program, by address.
#pragma once

#include <iterator>
#include <map>
#include <mutex>
#include <utility>

#include "device_section.h"

namespace hirace::cpu {

struct DeviceVariable {
  std::uintptr_t begin = 0;
  std::size_t bytes = 0;
  std::uint64_t key = 0;  // its name's, in the notes of its file
  ArrayShape shape;
};

class DeviceVariables {
 public:
  void add(const DeviceVariable& variable) {
    const std::lock_guard lock(mutex_);
    by_begin_[variable.begin] = variable;
    has_new_ = true;
  }

  // Whether variables have been added since the last call.
  bool take_new() {
    const std::lock_guard lock(mutex_);
    return std::exchange(has_new_, false);
  }

  // Calls `visit` with what lies between variables, from `begin` to `end`.
  template <class Visit>
  void each_gap(std::uintptr_t begin, std::uintptr_t end, Visit visit) {
    const std::lock_guard lock(mutex_);
    std::uintptr_t at = begin;
    for (auto next = by_begin_.lower_bound(begin); next != by_begin_.end() && next->first < end; ++next) {
      if (next->first > at) visit(at, next->first);
      at = next->first + next->second.bytes;
    }
    if (at != begin && at < end) visit(at, end);
  }

  // The last one that begins at an address or before it; its key is 0 if there is none.
  DeviceVariable last_before(std::uintptr_t address) {
    const std::lock_guard lock(mutex_);
    const auto after = by_begin_.upper_bound(address);
    return after == by_begin_.begin() ? DeviceVariable{} : std::prev(after)->second;
  }

  // The one around an address, or else that whose beginning or end is nearest, unless no index leads there from it; its
  // key is 0 if there is none.
  DeviceVariable nearest(std::uintptr_t address) {
    const DeviceVariable before = last_before(address);
    const std::uintptr_t end = before.begin + before.bytes;
    if (address < end) return before;
    const std::lock_guard lock(mutex_);
    const auto next = by_begin_.upper_bound(address);
    const std::uintptr_t behind = before.bytes == 0 ? max_distance : address - end;
    const std::uintptr_t ahead = next == by_begin_.end() ? max_distance : next->first - address;
    if (ahead < max_distance && ahead <= behind) return next->second;
    return behind < max_distance ? before : DeviceVariable{};
  }

  // The one around an address; its key is 0 if there is none.
  DeviceVariable find(std::uintptr_t address) {
    const DeviceVariable found = last_before(address);
    return address - found.begin < found.bytes ? found : DeviceVariable{};
  }

 private:
  // About what an `int` reaches as the index of 16 bytes.
  static constexpr std::uintptr_t max_distance = std::uintptr_t{1} << 36;

  std::mutex mutex_;
  std::map<std::uintptr_t, DeviceVariable> by_begin_;
  bool has_new_ = false;
};

inline DeviceVariables& device_variables() {
  static DeviceVariables* const variables = new DeviceVariables;
  return *variables;
}

HIRACE_RUNTIME void register_variable(const volatile void* begin, std::size_t bytes, std::uint64_t key, const ArrayShape& shape) {
  device_variables().add({reinterpret_cast<std::uintptr_t>(begin), bytes, key, shape});
}

}  // namespace hirace::cpu
