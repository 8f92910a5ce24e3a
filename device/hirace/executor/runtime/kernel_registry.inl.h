// The definitions of kernel_registry.h.
#pragma once

#include <cstdio>
#include <map>
#include <mutex>

#include "../scheduler/launcher.h"
#include "device.inl.h"
#include "kernel_registry.h"

namespace hirace::cpu {

struct KnownKernel {
  LaunchInfo info;
  KernelType type;
};

class KernelRegistry {
 public:
  void add(const void* kernel, const KnownKernel& known) {
    const std::lock_guard lock(mutex_);
    kernels_.emplace(kernel, known);
  }
  // Null if no cast has registered the kernel's type.
  const KnownKernel* find(const void* kernel) {
    const std::lock_guard lock(mutex_);
    const auto found = kernels_.find(kernel);
    return found != kernels_.end() ? &found->second : nullptr;
  }
  // The same, with a message.
  const KnownKernel* find(const void* kernel, const char* caller) {
    if (const KnownKernel* const found = find(kernel)) return found;
    std::fprintf(stderr,
                 "hirace: %s: the parameters of the kernel at %p are unknown, so it did not run; name the kernel in the call, or "
                 "take its address in instrumented code\n",
                 caller, kernel);
    recorder().limit(recorder().kernel("kernel launched by pointer"), launch_refused);
    return nullptr;
  }

 private:
  std::mutex mutex_;
  std::map<const void*, KnownKernel> kernels_;
};

inline KernelRegistry& kernel_registry() {
  static KernelRegistry* const registry = new KernelRegistry;
  return *registry;
}

// The same launch at the call that has just begun, rather than where the kernel's address was taken.
inline LaunchInfo at_call(LaunchInfo info) {
  const SiteId site = HostCall::take();
  if (site != unknown_site) info.site = site;
  return info;
}

HIRACE_RUNTIME void register_kernel(const void* kernel, const LaunchInfo& info, const KernelType& type) {
  kernel_registry().add(kernel, {info, type});
}

// Blocks of a cooperative launch are resident together, and every thread has a stack.
constexpr std::uint64_t max_cooperative_threads = std::uint64_t{multiprocessors} * threads_per_multiprocessor;

HIRACE_RUNTIME cudaError_t check_residency(const LaunchShape& shape) {
  const dim3 &grid = shape.grid, &block = shape.block;
  const std::uint64_t threads = std::uint64_t{grid.x} * grid.y * grid.z * block.x * block.y * block.z;
  return shape.cooperative && threads > max_cooperative_threads ? set_error(cudaErrorCooperativeLaunchTooLarge) : cudaSuccess;
}

}  // namespace hirace::cpu
