// Kernels by address. A `void*` has lost the parameter types that a launch needs, so the
// instrumenter wraps every cast of a kernel to one, and the wrapper registers them here.
#pragma once

#include "../../hooks/indices.h"
#include "../scheduler/launch_expression.h"

namespace hirace::cpu {

// A kernel's argument, identified by its number.
template <std::size_t number, class T>
struct KernelArgument {
  explicit KernelArgument(T given) : value(static_cast<T&&>(given)) {}
  T value;
};

// A kernel with copies of its arguments.
template <class Numbers, class... Parameters>
struct BoundKernel;
template <std::size_t... numbers, class... Parameters>
struct BoundKernel<hirace::detail::Indices<numbers...>, Parameters...> : KernelArgument<numbers, Parameters>... {
  using Kernel = void (*)(Parameters...);

  template <class... Given>
  explicit BoundKernel(Kernel called, Given&&... given)
      : KernelArgument<numbers, Parameters>(static_cast<Given&&>(given))..., kernel(called) {}

  // As CUDA takes the arguments: an array of their addresses.
  static BoundKernel from_addresses(Kernel called, void** arguments) {
    static_cast<void>(arguments);
    return BoundKernel(called, *static_cast<Parameters*>(arguments[numbers])...);
  }

  void operator()() { kernel(static_cast<KernelArgument<numbers, Parameters>&>(*this).value...); }

  void addresses(void** out) {
    static_cast<void>(out);
    ((out[numbers] = __builtin_addressof(static_cast<KernelArgument<numbers, Parameters>&>(*this).value)), ...);
  }

  Kernel kernel;
};
template <class... Parameters>
using BoundKernelOf =
    BoundKernel<hirace::detail::IndicesBelow<sizeof...(Parameters)>, std::remove_cv_t<std::remove_reference_t<Parameters>>...>;

// Operations on a kernel of which only the address is known.
struct KernelType {
  void* (*bind)(const void* kernel, void** arguments);  // a bound kernel, for run() and destroy()
  void (*run)(void* bound);
  void (*destroy)(void* bound);
  void (*addresses)(void* bound, void** out);
  std::size_t parameters;
  const std::size_t *bytes, *alignments;  // of each parameter
};

// Never empty, so that kernels without parameters have one, too.
template <class... Parameters>
inline constexpr std::size_t parameter_bytes[] = {sizeof(Parameters)..., 0};
template <class... Parameters>
inline constexpr std::size_t parameter_alignments[] = {alignof(Parameters)..., 0};


template <class... Parameters>
constexpr KernelType kernel_type() {
  using Bound = BoundKernelOf<Parameters...>;
  return {[](const void* kernel, void** arguments) -> void* {
            const auto called = reinterpret_cast<typename Bound::Kernel>(const_cast<void*>(kernel));
            return new Bound(Bound::from_addresses(called, arguments));
          },
          &run_threads<Bound>, [](void* bound) { delete static_cast<Bound*>(bound); },
          [](void* bound, void** out) { static_cast<Bound*>(bound)->addresses(out); }, sizeof...(Parameters),
          parameter_bytes<Parameters...>, parameter_alignments<Parameters...>};
}

void register_kernel(const void* kernel, const LaunchInfo& info, const KernelType& type);

// Whether a cooperative launch is small enough that its blocks are resident together.
cudaError_t check_residency(const LaunchShape& shape);

template <class Bound>
cudaError_t launch_bound(const LaunchInfo& info, const LaunchShape& shape, Bound bound) {
  if (const cudaError_t error = check_residency(shape)) return error;
  return launch_body(info, shape, bound);
}

template <class... Parameters>
cudaError_t launch_address(const LaunchInfo& info, void (*kernel)(Parameters...), const LaunchShape& shape, void** arguments) {
  using Bound = BoundKernelOf<Parameters...>;
  return launch_bound(info, shape, Bound::from_addresses(reinterpret_cast<typename Bound::Kernel>(kernel), arguments));
}

// Replaces a cast of a kernel to a pointer; `info` describes launches by that address.
template <class... Parameters>
void* kernel_address(const LaunchInfo& info, void (*kernel)(Parameters...)) {
  void* const address = reinterpret_cast<void*>(kernel);
  register_kernel(address, info, kernel_type<Parameters...>());
  return address;
}

}  // namespace hirace::cpu
