// The __device__ and __managed__ variables of the program, by address.
#pragma once

#include <map>
#include <mutex>

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
  }

  // The one around an address; its key is 0 if there is none.
  DeviceVariable find(std::uintptr_t address) {
    const std::lock_guard lock(mutex_);
    const auto after = by_begin_.upper_bound(address);
    if (after == by_begin_.begin()) return {};
    const DeviceVariable& found = std::prev(after)->second;
    return address - found.begin < found.bytes ? found : DeviceVariable{};
  }

 private:
  std::mutex mutex_;
  std::map<std::uintptr_t, DeviceVariable> by_begin_;
};

inline DeviceVariables& device_variables() {
  static DeviceVariables* const variables = new DeviceVariables;
  return *variables;
}

HIRACE_RUNTIME void register_variable(const volatile void* begin, std::size_t bytes, std::uint64_t key, const ArrayShape& shape) {
  device_variables().add({reinterpret_cast<std::uintptr_t>(begin), bytes, key, shape});
}

}  // namespace hirace::cpu
