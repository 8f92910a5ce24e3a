// Kernel launches: the replacement for `kernel<<<grid, block, shared, stream>>>(...)`.
#pragma once

#include <type_traits>

#include "../../hooks/launch.h"
#include "../order/engine_use.h"
#include "../runtime/error.h"
#include "thread_run.h"

namespace hirace::cpu {

struct LaunchShape {
  dim3 grid, block;
  std::size_t dynamic_shared;
  cudaStream_t stream;
  bool cooperative;
  dim3 cluster = dim3();  // in blocks
  bool early = false;     // programmatic stream serialization
};

// The body of a grid, and how to keep a copy of it for later.
struct LaunchBody {
  void* object;
  void (*run)(void* object);            // the worker loop around the body
  void* (*copy)(const void* object);    // null if the body cannot be kept
  void (*destroy)(void* object);
};

cudaError_t launch_grid(const LaunchInfo& info, const LaunchShape& shape, const LaunchBody& body);

// The worker loop: starts CUDA threads until the scheduler switches to other work.
template <class Body>
void run_threads(void* body) {
  if (!start_thread()) return;
  do {
    do {
      (*static_cast<Body*>(body))();
    } while (begin_next_thread());
  } while (finish_thread());
}

// A kernel call that refers to objects of the surrounding code and so cannot be kept for later.
template <class Call>
struct Borrowed {
  Call call;
  void operator()() const { call(); }
};
template <class Call>
Borrowed<Call> borrowed(const Call& call) {
  return {call};
}
template <class Body>
constexpr bool is_borrowed = false;
template <class Call>
constexpr bool is_borrowed<Borrowed<Call>> = true;

// How a kernel's parameter is passed. CUDA copies the bytes of an object to the device, where nothing destroys them
// (CUDA C++ Programming Guide, "Global Function Argument Processing"). An object with a destructor is passed by a
// reference that the caller makes (Itanium C++ ABI, "Non-Trivial Parameters"), so it can be such a copy.
template <class T, bool = std::is_class_v<T> && !std::is_trivially_destructible_v<T>>
struct Passed {
  using Type = T;
  explicit Passed(const T& from) : value(from) {}
  operator T() const { return value; }
  const T& value;
};
template <class T>
struct Passed<T, true> {
  using Type = T&;
  explicit Passed(const T& from) { __builtin_memcpy(bytes, __builtin_addressof(from), sizeof(T)); }
  operator T&() { return *reinterpret_cast<T*>(bytes); }
  alignas(T) unsigned char bytes[sizeof(T)];
};

// Calls a kernel and destroys none of its parameters.
template <class... Parameters, class... Arguments>
void call_without_destruction(void (*kernel)(Parameters...), const Arguments&... arguments) {
  const auto passed = reinterpret_cast<void (*)(typename Passed<Parameters>::Type...)>(reinterpret_cast<void*>(kernel));
  passed(Passed<Parameters>(arguments)...);
}

// `kernel`, if its name designates one function: that depends on `Dependent`, so that a name with overloads is
// no error where it can be avoided.
template <class Dependent, class... Parameters>
auto same(Dependent, void (*kernel)(Parameters...)) -> void (*)(Parameters...);

template <unsigned Index, class Kernel>
struct Parameter;
template <unsigned Index, class First, class... Rest>
struct Parameter<Index, void (*)(First, Rest...)> : Parameter<Index - 1, void (*)(Rest...)> {};
template <class First, class... Rest>
struct Parameter<0, void (*)(First, Rest...)> {
  using Type = std::decay_t<First>;
};

// The value of a launch's argument. An object is converted to the type of the kernel's parameter here, as in CUDA:
// threads would convert a copy, and later. `kernel` returns a pointer to the kernel, unless its name has overloads.
template <unsigned Index, class Kernel, class Argument>
auto argument(const Kernel& kernel, Argument&& given) {
  using Given = std::decay_t<Argument>;
  constexpr bool may_convert = std::is_class_v<Given> || std::is_array_v<std::remove_reference_t<Argument>>;
  if constexpr (may_convert && std::is_invocable_v<const Kernel&, int>) {
    typename Parameter<Index, decltype(kernel(0))>::Type value = static_cast<Argument&&>(given);
    return value;
  } else {
    return static_cast<Given>(static_cast<Argument&&>(given));
  }
}

template <class Body>
cudaError_t launch_body(const LaunchInfo& info, const LaunchShape& shape, Body& body) {
  using Copy = std::remove_const_t<Body>;
  LaunchBody erased{const_cast<Copy*>(__builtin_addressof(body)), &run_threads<Body>, nullptr, nullptr};
  if constexpr (!is_borrowed<Copy>) {
    erased.copy = [](const void* object) -> void* { return new Copy(*static_cast<const Copy*>(object)); };
    erased.destroy = [](void* object) { delete static_cast<Copy*>(object); };
  }
  return launch_grid(info, shape, erased);
}

// Marks a launch in device code: `info` as it is.
template <class Construct = KernelLaunch>
LaunchInfo by_kernel(const LaunchInfo& info) {
  note_use<Construct>();
  return info;
}

// Calls `body` once per CUDA thread. Errors are kept for cudaGetLastError.
template <class Body>
void launch(const LaunchInfo& info, dim3 grid, dim3 block, std::size_t dynamic_shared, cudaStream_t stream, Body&& body) {
  launch_body(info, {grid, block, dynamic_shared, stream, false}, body);
}

// `<<<...>>>`, with defaults for omitted arguments.
struct Configuration {
  Configuration(dim3 grid_size, dim3 block_size, std::size_t shared_bytes = 0, cudaStream_t launch_stream = nullptr)
      : grid(grid_size), block(block_size), dynamic_shared(shared_bytes), stream(launch_stream) {}
  dim3 grid, block;
  std::size_t dynamic_shared;
  cudaStream_t stream;
};

template <class Call>
struct PendingLaunch {
  template <class... Arguments>
  void operator()(Arguments... arguments) const {
    launch(info, configuration.grid, configuration.block, configuration.dynamic_shared, configuration.stream,
           [call = call, arguments...] { call(arguments...); });
  }
  LaunchInfo info;
  Configuration configuration;
  Call call;
};

// A launch whose arguments only the compiler can count: those of a macro or a pack. `Call` takes copies of them,
// `Direct` contains them and refers to the surrounding code.
template <class Call, class Direct>
struct CountedLaunch {
  template <class... Arguments>
  void operator()(Arguments... arguments) const {
    const Configuration& c = configuration;
    if constexpr (std::is_invocable_v<const Call&, const Arguments&...>) {
      launch(info, c.grid, c.block, c.dynamic_shared, c.stream, [call = call, arguments...] { call(arguments...); });
    } else {
      // A null pointer that is written as a number, or a reference that the kernel changes.
      launch(info, c.grid, c.block, c.dynamic_shared, c.stream, direct);
    }
  }
  LaunchInfo info;
  Call call;
  Direct direct;
  Configuration configuration;
};
template <class Call, class Direct>
CountedLaunch<Call, Borrowed<Direct>> counted_launch(const LaunchInfo& info, Call call, const Direct& direct, Configuration configuration) {
  return {info, call, {direct}, configuration};
}

// A launch with preprocessor conditionals in its text: the arguments are those that the compiler
// sees in the parentheses that follow.
template <class Call>
PendingLaunch<Call> pending_launch(const LaunchInfo& info, Call call, Configuration configuration) {
  return {info, configuration, call};
}

}  // namespace hirace::cpu
