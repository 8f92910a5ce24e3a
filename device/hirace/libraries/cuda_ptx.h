// The functions of namespace cuda::ptx that copy asynchronously, wait, or order accesses (libcu++, "cuda::ptx").
//
// Each is the instruction of its name, and calls what inline PTX of that instruction becomes (cuda/ptx_*.h). The first
// argument, a tag or a pointer, carries the site of the call. Cache hints have no effect here.
#pragma once

#include <cstdint>
#include <type_traits>

#include "../cuda/cluster_intrinsics.h"
#include "../cuda/ptx_async.h"
#include "../cuda/ptx_barriers.h"
#include "../cuda/ptx_bulk.h"
#include "../cuda/ptx_registers.h"
#include "../cuda/unsupported_macros.h"
#include "../executor/call_site.h"
#include "../hooks/sync.h"
#include "cuda_ptx_variants.h"

namespace cuda::ptx {

namespace detail {

namespace instruction = ::hirace::cpu::ptx;
using ::hirace::site_of;
using ::hirace::value_of;

// An argument without its site.
template <class First>
using Plain = ::std::decay_t<decltype(value_of(::std::declval<const First&>()))>;
template <class First>
inline constexpr bool is_pointer = ::std::is_pointer_v<Plain<First>>;

template <dot_sem sem>
constexpr ::hirace::Order order_of(sem_t<sem>) {
  switch (sem) {
    case dot_sem::acquire: return ::hirace::Order::acquire;
    case dot_sem::release: return ::hirace::Order::release;
    case dot_sem::relaxed: return ::hirace::Order::relaxed;
    default: return ::hirace::Order::acquire_release;
  }
}
template <dot_scope scope>
constexpr ::hirace::Scope scope_of(scope_t<scope>) {
  switch (scope) {
    case dot_scope::cta: return ::hirace::Scope::block;
    case dot_scope::cluster: return ::hirace::Scope::cluster;
    case dot_scope::gpu: return ::hirace::Scope::device;
    default: return ::hirace::Scope::system;
  }
}

// The place of an address in the window of shared memory.
inline ::std::uint64_t in_window(const void* address) { return ::__cvta_generic_to_shared(address); }

// PTX's reductions by the names of their tags.
template <class Op>
struct ReductionOf;
#define HIRACE_PTX_OPERATION(tag, name)               \
  template <>                                         \
  struct ReductionOf<op_##tag> {                      \
    using Type = instruction::Reduction_##name;       \
  };
HIRACE_PTX_OPERATION(add_t, add)
HIRACE_PTX_OPERATION(min_t, min)
HIRACE_PTX_OPERATION(max_t, max)
HIRACE_PTX_OPERATION(and_op_t, and)
HIRACE_PTX_OPERATION(or_op_t, or)
HIRACE_PTX_OPERATION(xor_op_t, xor)
HIRACE_PTX_OPERATION(inc_t, inc)
HIRACE_PTX_OPERATION(dec_t, dec)
#undef HIRACE_PTX_OPERATION
template <class Op>
using Reduction = typename ReductionOf<Op>::Type;

}  // namespace detail

// mbarrier objects. Without a scope, as inline PTX without one: those of the cluster.

template <class Object>
void mbarrier_init(const Object& object, ::std::uint32_t count) {
  detail::instruction::mbarrier_init(detail::site_of(object), detail::value_of(object), count);
}
template <class Object>
void mbarrier_inval(const Object&) {}

#define HIRACE_PTX_ARRIVAL(name, function)                                                                              \
  template <class Object, ::std::enable_if_t<detail::is_pointer<Object>, int> = 0>                                      \
  ::std::uint64_t name(const Object& object, ::std::uint32_t count = 1) {                                               \
    return detail::instruction::function(detail::site_of(object), detail::value_of(object), ::hirace::Order::release,   \
                                         ::hirace::Scope::cluster, count, 0);                                           \
  }                                                                                                                     \
  template <class Sem, class Scope, class Space>                                                                        \
  ::std::uint64_t name(const Sem& sem, Scope scope, Space, ::std::uint64_t* object, ::std::uint32_t count = 1) {        \
    return detail::instruction::function(detail::site_of(sem), object, detail::order_of(detail::value_of(sem)),         \
                                         detail::scope_of(scope), count, 0);                                            \
  }
HIRACE_PTX_ARRIVAL(mbarrier_arrive, mbarrier_arrive)
HIRACE_PTX_ARRIVAL(mbarrier_arrive_no_complete, mbarrier_arrive)
HIRACE_PTX_ARRIVAL(mbarrier_arrive_drop, mbarrier_drop)
#undef HIRACE_PTX_ARRIVAL

template <class Sem, class Scope, class Space>
::std::uint64_t mbarrier_arrive_expect_tx(const Sem& sem, Scope scope, Space, ::std::uint64_t* object, ::std::uint32_t bytes) {
  return detail::instruction::mbarrier_arrive(detail::site_of(sem), object, detail::order_of(detail::value_of(sem)),
                                              detail::scope_of(scope), 1, static_cast<::std::int32_t>(bytes));
}
template <class Sem, class Scope, class Space>
void mbarrier_expect_tx(const Sem& sem, Scope scope, Space, ::std::uint64_t* object, ::std::uint32_t bytes) {
  detail::instruction::mbarrier_expect(detail::site_of(sem), object, detail::scope_of(scope), static_cast<::std::int32_t>(bytes));
}
template <class Sem, class Scope, class Space>
void mbarrier_complete_tx(const Sem& sem, Scope scope, Space, ::std::uint64_t* object, ::std::uint32_t bytes) {
  detail::instruction::mbarrier_expect(detail::site_of(sem), object, detail::scope_of(scope), -static_cast<::std::int32_t>(bytes));
}
inline ::std::uint32_t mbarrier_pending_count(::std::uint64_t state) { return detail::instruction::mbarrier_pending_count(state); }

// A hint how long to wait follows the state or the parity.
#define HIRACE_PTX_WAIT(name, function, State)                                                                          \
  template <class Object, ::std::enable_if_t<detail::is_pointer<Object>, int> = 0>                                      \
  bool name(const Object& object, State state, ::std::uint32_t = 0) {                                                   \
    return detail::instruction::function(detail::site_of(object), detail::value_of(object), ::hirace::Order::acquire,   \
                                         ::hirace::Scope::cluster, state);                                              \
  }                                                                                                                     \
  template <class Sem, class Scope>                                                                                     \
  bool name(const Sem& sem, Scope scope, ::std::uint64_t* object, State state, ::std::uint32_t = 0) {                   \
    return detail::instruction::function(detail::site_of(sem), object, detail::order_of(detail::value_of(sem)),         \
                                         detail::scope_of(scope), state);                                               \
  }
HIRACE_PTX_WAIT(mbarrier_test_wait, mbarrier_try_wait, ::std::uint64_t)
HIRACE_PTX_WAIT(mbarrier_try_wait, mbarrier_try_wait, ::std::uint64_t)
HIRACE_PTX_WAIT(mbarrier_test_wait_parity, mbarrier_try_wait_parity, ::std::uint32_t)
HIRACE_PTX_WAIT(mbarrier_try_wait_parity, mbarrier_try_wait_parity, ::std::uint32_t)
#undef HIRACE_PTX_WAIT

// Copies that a thread has issued with cp.async.
template <class Object>
void cp_async_mbarrier_arrive(const Object& object) {
  detail::instruction::mbarrier_arrive_copies(detail::site_of(object), detail::value_of(object), false);
}
template <class Object>
void cp_async_mbarrier_arrive_noinc(const Object& object) {
  detail::instruction::mbarrier_arrive_copies(detail::site_of(object), detail::value_of(object), true);
}

// Bulk copies: into shared memory, where an mbarrier object tells the end, and from it.

template <class To, class From, class Object>
void cp_async_bulk(const To& to_space, From, void* to, const void* from, ::std::uint32_t bytes, Object* object) {
  detail::instruction::bulk_load(detail::site_of(to_space), to, from, bytes, object);
}
template <class To, class From, class Object>
void cp_async_bulk(const To& to_space, From, void* to, const void* from, ::std::uint32_t bytes, Object* object, ::std::uint16_t blocks) {
  detail::instruction::multicast_load(detail::site_of(to_space), detail::in_window(to), from, bytes, detail::in_window(object), blocks);
}
template <class To, class From>
void cp_async_bulk(const To& to_space, From, void* to, const void* from, ::std::uint32_t bytes) {
  detail::instruction::bulk_store(detail::site_of(to_space), to, from, bytes);
}

template <class To, class From, ::std::size_t dimensions, class Object>
void cp_async_bulk_tensor(const To& to_space, From, void* to, const void* map, const ::std::int32_t (&first)[dimensions], Object* object) {
  detail::instruction::tensor_load(detail::site_of(to_space), detail::in_window(to), map, first, object);
}
template <class To, class From, ::std::size_t dimensions, class Object>
void cp_async_bulk_tensor(const To& to_space, From, void* to, const void* map, const ::std::int32_t (&first)[dimensions], Object* object,
                          ::std::uint16_t blocks) {
  detail::instruction::multicast_tensor_load(detail::site_of(to_space), detail::in_window(to), map, first, detail::in_window(object),
                                             blocks);
}
template <class To, class From, ::std::size_t dimensions>
void cp_async_bulk_tensor(const To& to_space, From, const void* map, const ::std::int32_t (&first)[dimensions], const void* from) {
  detail::instruction::tensor_store(detail::site_of(to_space), map, first, detail::in_window(from));
}

template <class To, class From, class Op, class T, class Object>
void cp_reduce_async_bulk(const To& to_space, From, Op, T* to, const T* from, ::std::uint32_t bytes, Object* object) {
  detail::instruction::reduce_bulk_to_cluster<detail::Reduction<Op>, T>(detail::site_of(to_space), to, from, bytes, object);
}
template <class To, class From, class Op, class T>
void cp_reduce_async_bulk(const To& to_space, From, Op, T* to, const T* from, ::std::uint32_t bytes) {
  detail::instruction::reduce_bulk_to_global<detail::Reduction<Op>, T>(detail::site_of(to_space), to, from, bytes);
}
template <class To, class From, class Op, ::std::size_t dimensions>
void cp_reduce_async_bulk_tensor(const To& to_space, From, Op, const void* map, const ::std::int32_t (&first)[dimensions], const void* from) {
  detail::instruction::tensor_reduce<detail::Reduction<Op>>(detail::site_of(to_space), map, first, detail::in_window(from));
}

inline void cp_async_bulk_commit_group() { detail::instruction::bulk_commit(); }
template <int pending>
void cp_async_bulk_wait_group(n32_t<pending>) {
  detail::instruction::bulk_wait(pending, false);
}
template <int pending>
void cp_async_bulk_wait_group_read(n32_t<pending>) {
  detail::instruction::bulk_wait(pending, true);
}
template <class... Arguments>
void cp_async_bulk_prefetch(const Arguments&...) {}
template <class... Arguments>
void cp_async_bulk_prefetch_tensor(const Arguments&...) {}

template <class To, class T>
void st_async(const To& to, const T& value, ::std::uint64_t* object) {
  const T values[1]{value};
  detail::instruction::store_async(detail::site_of(to), detail::value_of(to), values, object);
}
template <class To, class T, ::std::size_t count>
void st_async(const To& to, const T (&values)[count], ::std::uint64_t* object) {
  detail::instruction::store_async(detail::site_of(to), detail::value_of(to), values, object);
}
template <class Op, class T>
void red_async(const Op& op, T* to, const T& value, ::std::uint64_t* object) {
  using Reduction = detail::Reduction<detail::Plain<Op>>;
  detail::instruction::reduce_async<Reduction, T>(detail::site_of(op), to, value, object);
}

// Tensor maps.

#define HIRACE_PTX_MAP_FIELD(name, member)                                                                                     \
  template <class Space, class Value>                                                                                          \
  void tensormap_replace_##name(const Space& space, void* map, Value value) {                                                  \
    detail::instruction::change_map(detail::site_of(space), map, [&](detail::instruction::TensorMap& it) {                     \
      it.member = static_cast<::std::decay_t<decltype(it.member)>>(value);                                                     \
    });                                                                                                                        \
  }
HIRACE_PTX_MAP_FIELD(global_address, address)
HIRACE_PTX_MAP_FIELD(rank, dimensions)
HIRACE_PTX_MAP_FIELD(elemtype, element_type)
HIRACE_PTX_MAP_FIELD(interleave_layout, interleaved)
HIRACE_PTX_MAP_FIELD(swizzle_mode, swizzle)
HIRACE_PTX_MAP_FIELD(fill_mode, fills_with_nan)
#undef HIRACE_PTX_MAP_FIELD
#define HIRACE_PTX_MAP_FIELD(name, member)                                                                                     \
  template <class Space, int number, class Value>                                                                              \
  void tensormap_replace_##name(const Space& space, void* map, n32_t<number>, Value value) {                                   \
    detail::instruction::change_map(detail::site_of(space), map, [&](detail::instruction::TensorMap& it) {                     \
      it.member[number] = static_cast<::std::decay_t<decltype(it.member[number])>>(value);                                     \
    });                                                                                                                        \
  }
HIRACE_PTX_MAP_FIELD(box_dim, box)
HIRACE_PTX_MAP_FIELD(global_dim, sizes)
HIRACE_PTX_MAP_FIELD(global_stride, strides)
HIRACE_PTX_MAP_FIELD(element_size, steps)
HIRACE_PTX_MAP_FIELD(element_stride, steps)
#undef HIRACE_PTX_MAP_FIELD

template <class Sem, class Scope, int bytes>
void tensormap_cp_fenceproxy(const Sem& sem, Scope, void* to, const void* from, n32_t<bytes>) {
  detail::instruction::copy_map(detail::site_of(sem), to, from, bytes);
}

// Fences. Accesses through different proxies are not distinguished.

template <class Sem, dot_scope scope>
void fence(const Sem& sem, scope_t<scope>) {
  constexpr detail::Plain<Sem> kind{};
  const ::hirace::SiteId site = detail::site_of(sem);
  if constexpr (kind == dot_sem::acquire || kind == dot_sem::release) {
    detail::instruction::half_fence(site, detail::scope_of(scope_t<scope>{}), kind == dot_sem::acquire);
  } else if constexpr (kind == dot_sem::sc) {
    if constexpr (scope == dot_scope::cta) ::hirace::threadfence_block(site);
    if constexpr (scope == dot_scope::cluster) ::hirace::threadfence_cluster(site);
    if constexpr (scope == dot_scope::gpu) ::hirace::threadfence(site);
    if constexpr (scope == dot_scope::sys) ::hirace::threadfence_system(site);
  } else {
    if constexpr (scope == dot_scope::cta) ::hirace::acq_rel_fence_block(site);
    if constexpr (scope == dot_scope::cluster) ::hirace::acq_rel_fence_cluster(site);
    if constexpr (scope == dot_scope::gpu) ::hirace::acq_rel_fence(site);
    if constexpr (scope == dot_scope::sys) ::hirace::acq_rel_fence_system(site);
  }
}
template <class Sem>
void fence_mbarrier_init(const Sem& sem, scope_cluster_t) {
  ::hirace::acq_rel_fence_cluster(detail::site_of(sem));
}
template <class Sem, class Space>
void fence_sync_restrict(const Sem& sem, Space, scope_cluster_t) {
  constexpr bool acquires = detail::Plain<Sem>{} == dot_sem::acquire;
  detail::instruction::half_fence(detail::site_of(sem), ::hirace::Scope::cluster, acquires);
}
inline void fence_proxy_alias() {}
template <class... Arguments>
void fence_proxy_async(const Arguments&...) {}
template <class... Arguments>
void fence_proxy_async_generic_sync_restrict(const Arguments&...) {}
template <class... Arguments>
void fence_proxy_tensormap_generic(const Arguments&...) {}

// Clusters and warps.

template <class Group = void>
void barrier_cluster_arrive() {
  ::__cluster_barrier_arrive<Group>();
}
template <class Sem, class Group = void>
void barrier_cluster_arrive(const Sem& sem) {
  if constexpr (detail::Plain<Sem>{} == dot_sem::relaxed) {
    ::hirace::cluster_arrive_relaxed<Group>(detail::site_of(sem));
  } else {
    ::hirace::cluster_arrive<Group>(detail::site_of(sem));
  }
}
template <class Group = void>
void barrier_cluster_wait() {
  ::__cluster_barrier_wait<Group>();
}
template <class Sem, class Group = void>
void barrier_cluster_wait(const Sem& sem) {
  ::hirace::cluster_wait<Group>(detail::site_of(sem));
}
template <class Space>
::std::uint32_t getctarank(const Space&, const void* address) {
  return ::__cluster_query_shared_rank<void>(address);
}
// The first lane is elected.
template <class Mask>
bool elect_sync(const Mask& mask) {
  const auto lanes = ::hirace::ballot_sync(detail::site_of(mask), static_cast<::std::uint32_t>(detail::value_of(mask)), true);
  return detail::instruction::laneid() == static_cast<::std::uint32_t>(__builtin_ctz(lanes));
}
template <int registers>
void setmaxnreg_inc(n32_t<registers>) {}
template <int registers>
void setmaxnreg_dec(n32_t<registers>) {}

// Special registers.

#define HIRACE_PTX_REGISTER(name) \
  inline auto get_sreg_##name() { return detail::instruction::name(); }
#define HIRACE_PTX_REGISTERS(name) HIRACE_PTX_REGISTER(name##_x) HIRACE_PTX_REGISTER(name##_y) HIRACE_PTX_REGISTER(name##_z)
HIRACE_PTX_REGISTERS(tid)
HIRACE_PTX_REGISTERS(ntid)
HIRACE_PTX_REGISTERS(ctaid)
HIRACE_PTX_REGISTERS(nctaid)
HIRACE_PTX_REGISTER(laneid)
HIRACE_PTX_REGISTER(warpid)
HIRACE_PTX_REGISTER(nwarpid)
HIRACE_PTX_REGISTER(smid)
HIRACE_PTX_REGISTER(nsmid)
HIRACE_PTX_REGISTER(gridid)
HIRACE_PTX_REGISTER(lanemask_eq)
HIRACE_PTX_REGISTER(lanemask_lt)
HIRACE_PTX_REGISTER(lanemask_le)
HIRACE_PTX_REGISTER(lanemask_gt)
HIRACE_PTX_REGISTER(lanemask_ge)
HIRACE_PTX_REGISTER(clock)
HIRACE_PTX_REGISTER(clock_hi)
HIRACE_PTX_REGISTER(clock64)
HIRACE_PTX_REGISTER(globaltimer)
HIRACE_PTX_REGISTER(globaltimer_lo)
HIRACE_PTX_REGISTER(globaltimer_hi)
HIRACE_PTX_REGISTER(total_smem_size)
HIRACE_PTX_REGISTER(dynamic_smem_size)
HIRACE_PTX_REGISTER(aggr_smem_size)
#undef HIRACE_PTX_REGISTER
#define HIRACE_PTX_REGISTER(name)                     \
  template <class Group = void>                       \
  auto get_sreg_##name() {                            \
    return detail::instruction::name<Group>();        \
  }
HIRACE_PTX_REGISTERS(cluster_ctaid)
HIRACE_PTX_REGISTERS(cluster_nctaid)
HIRACE_PTX_REGISTERS(clusterid)
HIRACE_PTX_REGISTERS(nclusterid)
HIRACE_PTX_REGISTER(cluster_ctarank)
HIRACE_PTX_REGISTER(cluster_nctarank)
HIRACE_PTX_REGISTER(is_explicit_cluster)
#undef HIRACE_PTX_REGISTERS
#undef HIRACE_PTX_REGISTER

#define HIRACE_ADVICE "it has no tensor memory, multicast memory or persistent launches; build for a GPU to check this code"
#define HIRACE_NO(name) HIRACE_UNSUPPORTED_FUNCTION(hirace::cpu::Unsupported, name, HIRACE_ADVICE)
HIRACE_NO(clusterlaunchcontrol_try_cancel)
HIRACE_NO(multimem_ld_reduce)
HIRACE_NO(multimem_red)
HIRACE_NO(multimem_st)
HIRACE_NO(tcgen05_alloc)
HIRACE_NO(tcgen05_commit)
HIRACE_NO(tcgen05_cp)
HIRACE_NO(tcgen05_ld_32x32b)
HIRACE_NO(tcgen05_mma)
#undef HIRACE_NO
#undef HIRACE_ADVICE

}  // namespace cuda::ptx
