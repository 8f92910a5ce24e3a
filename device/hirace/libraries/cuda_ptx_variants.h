// The tags by which the functions of namespace cuda::ptx tell variants of an instruction (libcu++, "cuda::ptx").
#pragma once

#include <type_traits>

namespace cuda::ptx {

enum class dot_sem { acq_rel, acquire, relaxed, release, sc, weak };
enum class dot_space { global, cluster, shared };
enum class dot_scope { cta, cluster, gpu, sys };
enum class dot_op { add, dec, inc, max, min, and_op, or_op, xor_op, cas, exch };

template <dot_sem value>
using sem_t = ::std::integral_constant<dot_sem, value>;
template <dot_space value>
using space_t = ::std::integral_constant<dot_space, value>;
template <dot_scope value>
using scope_t = ::std::integral_constant<dot_scope, value>;
template <dot_op value>
using op_t = ::std::integral_constant<dot_op, value>;
template <int value>
using n32_t = ::std::integral_constant<int, value>;

#define HIRACE_PTX_VARIANT(kind, name)               \
  using kind##_##name##_t = kind##_t<dot_##kind::name>; \
  inline constexpr kind##_##name##_t kind##_##name{};
HIRACE_PTX_VARIANT(sem, acq_rel)
HIRACE_PTX_VARIANT(sem, acquire)
HIRACE_PTX_VARIANT(sem, relaxed)
HIRACE_PTX_VARIANT(sem, release)
HIRACE_PTX_VARIANT(sem, sc)
HIRACE_PTX_VARIANT(sem, weak)
HIRACE_PTX_VARIANT(space, global)
HIRACE_PTX_VARIANT(space, cluster)
HIRACE_PTX_VARIANT(space, shared)
HIRACE_PTX_VARIANT(scope, cta)
HIRACE_PTX_VARIANT(scope, cluster)
HIRACE_PTX_VARIANT(scope, gpu)
HIRACE_PTX_VARIANT(scope, sys)
HIRACE_PTX_VARIANT(op, add)
HIRACE_PTX_VARIANT(op, dec)
HIRACE_PTX_VARIANT(op, inc)
HIRACE_PTX_VARIANT(op, max)
HIRACE_PTX_VARIANT(op, min)
HIRACE_PTX_VARIANT(op, and_op)
HIRACE_PTX_VARIANT(op, or_op)
HIRACE_PTX_VARIANT(op, xor_op)
#undef HIRACE_PTX_VARIANT

}  // namespace cuda::ptx
