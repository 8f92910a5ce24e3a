// The execution policies. All of them run an algorithm at once, one element after the other; `seq`
// may be used in kernels. On which stream an algorithm runs matters to its order with launches.
#pragma once

#include "../../executor/runtime/stream_work.h"
#include "detail/config.h"

namespace thrust {

template <class Derived>
struct execution_policy : detail::policy_base {};
template <class Derived>
struct host_execution_policy : detail::policy_base {};
template <class Derived>
struct device_execution_policy : detail::policy_base {};

namespace detail {

struct seq_t : policy_base {
  hirace::SiteId site = hirace::unknown_site;
  constexpr seq_t at_site(hirace::SiteId id) const {
    seq_t self;
    self.site = id;
    return self;
  }
};

struct host_t : policy_base {};

// The work of a stream; allocators are not used. An algorithm waits for its stream, which ends a capture
// with an error. With `nosync` it does so only for a result. In a kernel it acts as `seq`.
struct par_t : policy_base {
  cudaStream_t stream = nullptr;
  bool nosync = false;

  constexpr par_t() = default;
  constexpr explicit par_t(bool returns_early) : nosync(returns_early) {}
  constexpr seq_t at_site(hirace::SiteId id) const { return seq_t().at_site(id); }
  par_t on(cudaStream_t other) const {
    hirace::cpu::check_not_capturing(other);
    par_t self = *this;
    self.stream = other;
    return self;
  }
  template <class Allocator>
  const par_t& operator()(const Allocator&) const {
    return *this;
  }
};

}  // namespace detail

inline constexpr detail::seq_t seq{};
inline constexpr detail::host_t host{};
inline constexpr detail::par_t device{};

namespace cuda {
inline constexpr detail::par_t par{};
inline constexpr detail::par_t par_nosync{true};
template <class Derived>
using execution_policy = device_execution_policy<Derived>;
using tag = detail::par_t;
}  // namespace cuda

namespace system {
namespace cuda = ::thrust::cuda;
}
namespace cuda_cub = ::thrust::cuda;

}  // namespace thrust
