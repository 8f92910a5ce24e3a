// Kernels by address. A `void*` has lost the parameter types that a launch needs, so every
// cast of a kernel to one, which the instrumenter wraps, leaves them here.
#pragma once

#include <cstdio>
#include <map>
#include <memory>
#include <mutex>
#include <tuple>
#include <utility>
#include <vector>

#include "../scheduler/launch.h"
#include "device.h"

namespace hirace::cpu {

struct LaunchShape {
  dim3 grid, block;
  std::size_t dynamic_shared;
  cudaStream_t stream;
  bool cooperative;
};

// A kernel with copies of its arguments.
struct BoundKernel {
  Work work;                       // launches it
  std::shared_ptr<void> values;    // the arguments
  std::vector<void*> addresses;    // of each
};

struct KernelAddress {
  LaunchInfo info;
  BoundKernel (*bind)(const LaunchInfo& info, const void* kernel, const LaunchShape& shape, void** arguments);
  cudaError_t (*launch)(const LaunchInfo& info, const void* kernel, const LaunchShape& shape, void** arguments);
};

// Copies of a kernel's arguments, as CUDA takes them from an array of addresses.
template <class... Parameters>
using ArgumentValues = std::tuple<std::remove_cv_t<std::remove_reference_t<Parameters>>...>;

template <class... Parameters, std::size_t... indices>
std::shared_ptr<ArgumentValues<Parameters...>> copy_arguments(void** arguments, std::index_sequence<indices...>) {
  static_cast<void>(arguments);
  return std::make_shared<ArgumentValues<Parameters...>>(
      *static_cast<std::remove_cv_t<std::remove_reference_t<Parameters>>*>(arguments[indices])...);
}

template <class... Parameters>
auto kernel_body(void (*kernel)(Parameters...), std::shared_ptr<ArgumentValues<Parameters...>> values) {
  return [kernel, values] { std::apply(kernel, *values); };
}

template <class... Parameters>
BoundKernel bind_address(const LaunchInfo& info, const void* address, const LaunchShape& shape, void** arguments) {
  const auto kernel = reinterpret_cast<void (*)(Parameters...)>(const_cast<void*>(address));
  const auto values = copy_arguments<Parameters...>(arguments, std::index_sequence_for<Parameters...>{});
  const auto body = kernel_body(kernel, values);
  const KernelWork<std::remove_const_t<decltype(body)>> work{info, shape.grid,   shape.block,       shape.dynamic_shared,
                                                             shape.stream, shape.cooperative, body};
  std::vector<void*> addresses;
  std::apply([&](auto&... each) { (addresses.push_back(&each), ...); }, *values);
  return {Work(work), values, addresses};
}

// Blocks of a cooperative launch are resident together; every thread has a stack.
constexpr std::uint64_t max_cooperative_threads = std::uint64_t{multiprocessors} * threads_per_multiprocessor;

template <class... Parameters>
cudaError_t launch_typed(const LaunchInfo& info, void (*kernel)(Parameters...), const LaunchShape& shape,
                         std::shared_ptr<ArgumentValues<Parameters...>> values) {
  const dim3 &grid = shape.grid, &block = shape.block;
  const std::uint64_t threads = std::uint64_t{grid.x} * grid.y * grid.z * block.x * block.y * block.z;
  if (shape.cooperative && threads > max_cooperative_threads) return set_error(cudaErrorCooperativeLaunchTooLarge);
  auto body = kernel_body(kernel, values);
  return launch_body(info, grid, block, shape.dynamic_shared, shape.stream, shape.cooperative, body);
}

template <class... Parameters>
cudaError_t launch_address(const LaunchInfo& info, const void* address, const LaunchShape& shape, void** arguments) {
  const auto kernel = reinterpret_cast<void (*)(Parameters...)>(const_cast<void*>(address));
  return launch_typed(info, kernel, shape, copy_arguments<Parameters...>(arguments, std::index_sequence_for<Parameters...>{}));
}

class KernelRegistry {
 public:
  void add(const void* kernel, const KernelAddress& address) {
    const std::lock_guard lock(mutex_);
    kernels_.emplace(kernel, address);
  }
  // Null, with a message, where no cast has left the kernel's type.
  const KernelAddress* find(const void* kernel, const char* caller) {
    const std::lock_guard lock(mutex_);
    const auto found = kernels_.find(kernel);
    if (found != kernels_.end()) return &found->second;
    std::fprintf(stderr,
                 "hirace: %s: the parameters of the kernel at %p are not known, so it did not run; name the kernel in the call, or "
                 "make its address where hirace instruments the code\n",
                 caller, kernel);
    recorder().limit(recorder().kernel("kernel launched by pointer"), launch_refused);
    return nullptr;
  }

 private:
  std::mutex mutex_;
  std::map<const void*, KernelAddress> kernels_;
};

inline KernelRegistry& kernel_registry() {
  static KernelRegistry* const registry = new KernelRegistry;
  return *registry;
}

// What a cast of a kernel to a pointer becomes; `info` is that of launches by the address.
template <class... Parameters>
void* kernel_address(const LaunchInfo& info, void (*kernel)(Parameters...)) {
  void* const address = reinterpret_cast<void*>(kernel);
  kernel_registry().add(address, {info, &bind_address<Parameters...>, &launch_address<Parameters...>});
  return address;
}

}  // namespace hirace::cpu
