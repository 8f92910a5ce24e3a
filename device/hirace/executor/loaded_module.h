// The kernels and variables of modules that a host program loads, by name. Translated PTX registers its own: before
// main() starts if it is linked with the program, or while a library is opened (libraries/driver/loader.h).
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "executor.h"

namespace hirace::cpu::loaded {

struct Parameter {
  std::size_t bytes, offset;
};

struct Kernel {
  std::string name;
  std::vector<Parameter> parameters;
  bool has_shared;  // its file declares shared memory
  // Starts all threads with copies of the arguments at these addresses.
  cudaError_t (*launch)(SiteId site, const LaunchShape& shape, void* const* arguments);
};

struct Variable {
  std::string name;
  void* address;
  std::size_t bytes;
};

struct Module {
  std::map<std::string, Kernel> kernels;
  std::map<std::string, Variable> variables;
};

// The files that are linked with the program.
inline Module& linked() {
  static auto* const module = new Module;
  return *module;
}

// Who registers now.
inline Module* loading = nullptr;
inline Module& current() { return loading != nullptr ? *loading : linked(); }

inline bool add_kernel(const Kernel& kernel) { return current().kernels.emplace(kernel.name, kernel).second; }
inline bool add_variable(const Variable& variable) { return current().variables.emplace(variable.name, variable).second; }

// A library's device variables are in a section of its own: there is shadow for it as there is for memory that the
// host registers.
bool monitor_section(const char* begin, const char* end);
#define HIRACE_MONITOR_SECTION ::hirace::cpu::loaded::monitor_section(__start_hirace_device, __stop_hirace_device)

}  // namespace hirace::cpu::loaded
