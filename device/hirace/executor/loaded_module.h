// The kernels and variables of modules that a host program loads, by name. They register themselves: before main()
// starts if they are linked with the program, or while a library is opened (libraries/driver/loader.h).
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
  // Starts all threads with copies of the arguments at these addresses. Null for a kernel in CUDA C++.
  cudaError_t (*launch)(SiteId site, const LaunchShape& shape, void* const* arguments);
  const void* address = nullptr;  // of a kernel in CUDA C++, which runtime/kernel_registry.h knows
};

// Sets the size of the clusters that a kernel requires; one block if it requires none. Returns whether the launch gives
// no other size (PTX ISA, ".reqnctapercluster").
inline bool set_required_cluster(LaunchShape& shape, const dim3& required) {
  const auto blocks = [](const dim3& size) { return size.x * size.y * size.z; };
  if (blocks(required) == 1) return true;
  const bool same = shape.cluster.x == required.x && shape.cluster.y == required.y && shape.cluster.z == required.z;
  if (blocks(shape.cluster) != 1 && !same) return false;
  shape.cluster = required;
  return true;
}

struct Variable {
  std::string name;
  void* address;
  std::size_t bytes;
};

struct Module {
  std::map<std::string, Kernel> kernels;
  std::map<std::string, Variable> variables;
  std::map<std::string, std::string> names;  // of what C++ expressions name, such as `kernel<int>`
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

// The kernel or the variable of CUDA C++ that an expression names has this address. In a module, its name is that of
// its symbol; one that only its file knows keeps the expression's. `bytes`: of a variable.
bool add_expression(const char* expression, const void* address, std::size_t bytes);
template <class Object>
constexpr std::size_t size_at(Object*) {
  if constexpr (std::is_function_v<Object>) return 0;
  else return sizeof(Object);
}

// A library's device variables are in a section of its own: there is shadow for it as there is for memory that the
// host registers.
bool monitor_section(const char* begin, const char* end);
#define HIRACE_MONITOR_SECTION ::hirace::cpu::loaded::monitor_section(__start_hirace_device, __stop_hirace_device)

}  // namespace hirace::cpu::loaded
