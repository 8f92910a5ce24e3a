// The kernels and variables of PTX that a host program loads, by name. A translated file registers its own
// before main() starts.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "executor.h"

namespace hirace::cpu::loaded_ptx {

struct Kernel {
  std::string name;
  std::vector<std::size_t> parameters;  // bytes of each
  bool has_shared;                      // its file declares shared memory
  // Starts all threads with copies of the arguments at these addresses. Errors are kept for cudaGetLastError.
  void (*launch)(const LaunchShape& shape, void* const* arguments);
};

struct Variable {
  std::string name;
  void* address;
  std::size_t bytes;
};

inline std::map<std::string, Kernel>& kernels() {
  static auto* const by_name = new std::map<std::string, Kernel>;
  return *by_name;
}
inline std::map<std::string, Variable>& variables() {
  static auto* const by_name = new std::map<std::string, Variable>;
  return *by_name;
}

inline bool add_kernel(const Kernel& kernel) { return kernels().emplace(kernel.name, kernel).second; }
inline bool add_variable(const Variable& variable) { return variables().emplace(variable.name, variable).second; }

}  // namespace hirace::cpu::loaded_ptx
