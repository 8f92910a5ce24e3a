// The hooks of inline PTX, around the operand that is the address:
//
//   asm("ld.global.u32 %0, [%1];" : "=r"(x) : "l"(hirace::ptx_read(SITE, 4, p)));
//   asm("@p st.shared.u8 [%0+1], %1;" : : "r"(hirace::ptx_shared_write(SITE, 1, 1, c != 0, s)), …
//
// They take the number of bytes and, if present, the offset in the brackets and the
// predicate, and return the operand unchanged.
#pragma once

#include <cstring>

#include "access.h"

#if HIRACE_GPU
#include "../gpu/ptx_operands.h"
#else
#include "../cuda/ptx_operands.h"
#endif

namespace hirace {

// An operand of an asm statement as the instruction reads it: the bits of its register.
template <class To, class From>
HIRACE_HOOK To ptx_value(From value) {
  if constexpr (std::is_pointer_v<From>) {
    return static_cast<To>(reinterpret_cast<std::uintptr_t>(value));
  } else if constexpr ((std::is_integral_v<From> || std::is_enum_v<From>) && std::is_integral_v<To>) {
    return static_cast<To>(value);
  } else {
    To result{};
    ::memcpy(&result, &value, sizeof(To) < sizeof(From) ? sizeof(To) : sizeof(From));
    return result;
  }
}

// The configured semantics of `volatile` decide whether volatile accesses are plain or strong.
template <class = void>
HIRACE_HOOK AccessKind ptx_volatile(AccessKind plain, AccessKind strong) {
  backend::note_use<StrongAccess>();
  return backend::volatile_is_strong() ? strong : plain;
}

#define HIRACE_PTX_IN_SPACE(hook, to_pointer, kind)                                                        \
  template <class Address>                                                                                 \
  HIRACE_HOOK Address hook(SiteId site, std::size_t bytes, std::int64_t offset, bool happens, Address address) { \
    const auto first = ptx_value<std::uint64_t>(address) + static_cast<std::uint64_t>(offset);             \
    if (happens) backend::check(kind, backend::to_pointer(first), bytes, site, (bytes & (bytes - 1)) == 0 ? bytes : 1); \
    return address;                                                                                        \
  }                                                                                                        \
  template <class Address>                                                                                 \
  HIRACE_HOOK Address hook(SiteId site, std::size_t bytes, std::int64_t offset, Address address) {         \
    return hook(site, bytes, offset, true, address);                                                       \
  }                                                                                                        \
  template <class Address>                                                                                 \
  HIRACE_HOOK Address hook(SiteId site, std::size_t bytes, Address address) {                              \
    return hook(site, bytes, 0, true, address);                                                            \
  }

#define HIRACE_PTX_ACCESS(name, kind)                             \
  HIRACE_PTX_IN_SPACE(ptx_##name, generic_pointer, kind)          \
  HIRACE_PTX_IN_SPACE(ptx_shared_##name, shared_pointer, kind)

HIRACE_PTX_ACCESS(read, AccessKind::read)
HIRACE_PTX_ACCESS(write, AccessKind::write)
HIRACE_PTX_ACCESS(volatile_read, ptx_volatile(AccessKind::read, AccessKind::volatile_read))
HIRACE_PTX_ACCESS(volatile_write, ptx_volatile(AccessKind::write, AccessKind::volatile_write))

#undef HIRACE_PTX_ACCESS
#undef HIRACE_PTX_IN_SPACE

// Strong accesses, with their order and scope:
//
//   asm("ld.acquire.gpu.u32 %0, [%1];" : "=r"(x) :
//       "l"(hirace::ptx_strong_read<hirace::Order::acquire, hirace::Scope::device>(SITE, 4, p)));
//
// A load of block scope counts as one of device scope where only the state machine follows it: an
// atomic would race with plain loads, which this load must not.
#define HIRACE_PTX_STRONG_IN_SPACE(hook, to_pointer, kind, how)                                                    \
  template <Order order, Scope scope, class Address>                                                               \
  HIRACE_HOOK Address hook(SiteId site, std::size_t bytes, std::int64_t offset, bool happens, Address address) {   \
    const auto first = ptx_value<std::uint64_t>(address) + static_cast<std::uint64_t>(offset);                     \
    backend::note_use<StrongAccess>();                                                                             \
    if (happens) {                                                                                                 \
      backend::begin_strong_access(!how.writes);                                                                   \
      backend::check_strong(kind, how, backend::to_pointer(first), bytes, site, (bytes & (bytes - 1)) == 0 ? bytes : 1, \
                            how.reads);                                                                            \
    }                                                                                                              \
    return address;                                                                                                \
  }                                                                                                                \
  template <Order order, Scope scope, class Address>                                                               \
  HIRACE_HOOK Address hook(SiteId site, std::size_t bytes, std::int64_t offset, Address address) {                 \
    return hook<order, scope>(site, bytes, offset, true, address);                                                 \
  }                                                                                                                \
  template <Order order, Scope scope, class Address>                                                               \
  HIRACE_HOOK Address hook(SiteId site, std::size_t bytes, Address address) {                                      \
    return hook<order, scope>(site, bytes, 0, true, address);                                                      \
  }

#define HIRACE_PTX_STRONG(name, kind, how)                                      \
  HIRACE_PTX_STRONG_IN_SPACE(ptx_##name, generic_pointer, kind, how)            \
  HIRACE_PTX_STRONG_IN_SPACE(ptx_shared_##name, shared_pointer, kind, how)

HIRACE_PTX_STRONG(strong_read, AccessKind::volatile_read, strong_load(order, scope))
HIRACE_PTX_STRONG(strong_write, scope == Scope::block ? AccessKind::block_atomic : AccessKind::volatile_write, strong_store(order, scope))
HIRACE_PTX_STRONG(atomic, scope == Scope::block ? AccessKind::block_atomic : AccessKind::device_atomic, atomic_operation(order, scope))
HIRACE_PTX_STRONG(reduction, scope == Scope::block ? AccessKind::block_atomic : AccessKind::device_atomic, reduction(order, scope))

// Of vectors, which are accessed at one time: no other thread runs between two elements.
#define HIRACE_PTX_STRONG_OF_EACH(name, kind, how)                                                    \
  template <Order order, Scope scope, class Address>                                                  \
  HIRACE_HOOK Address ptx_##name##_of_each(SiteId site, std::size_t bytes, unsigned count, Address address) { \
    const auto first = ptx_value<std::uint64_t>(address);                                             \
    backend::note_use<StrongAccess>();                                                                \
    backend::begin_strong_access(!how.writes);                                                        \
    for (unsigned i = 0; i < count; ++i) {                                                            \
      backend::check_strong(kind, how, backend::generic_pointer(first + i * bytes), bytes, site, i == 0 ? count * bytes : bytes, how.reads); \
    }                                                                                                 \
    return address;                                                                                   \
  }
HIRACE_PTX_STRONG_OF_EACH(strong_read, AccessKind::volatile_read, strong_load(order, scope))
HIRACE_PTX_STRONG_OF_EACH(strong_write, scope == Scope::block ? AccessKind::block_atomic : AccessKind::volatile_write, strong_store(order, scope))
#undef HIRACE_PTX_STRONG_OF_EACH

// Of vectors, whose elements are updated one by one.
#define HIRACE_PTX_OF_EACH(name)                                                                      \
  template <Order order, Scope scope, class Address>                                                  \
  HIRACE_HOOK Address ptx_##name##_of_each(SiteId site, std::size_t bytes, unsigned count, Address address) { \
    for (unsigned i = 0; i < count; ++i) {                                                            \
      ptx_##name<order, scope>(site, bytes, static_cast<std::int64_t>(i * bytes), address);           \
    }                                                                                                 \
    return address;                                                                                   \
  }
HIRACE_PTX_OF_EACH(atomic)
HIRACE_PTX_OF_EACH(reduction)
#undef HIRACE_PTX_OF_EACH

// A compare-and-swap, which only reads if it fails.
template <Order order, Scope scope, class Address, class Value>
HIRACE_HOOK Address ptx_compare_and_swap(SiteId site, std::size_t bytes, Address address, Value compare) {
  const volatile void* const pointer = backend::generic_pointer(ptx_value<std::uint64_t>(address));
  backend::begin_strong_access(false);
  const bool writes = backend::would_exchange(pointer, &compare, bytes);
  const AccessKind kind = scope == Scope::block ? AccessKind::block_atomic : AccessKind::device_atomic;
  backend::note_use<StrongAccess>();
  backend::check_strong(kind, atomic_operation(order, scope, writes), pointer, bytes, site, bytes, true);
  return address;
}

#undef HIRACE_PTX_STRONG
#undef HIRACE_PTX_STRONG_IN_SPACE

// ldmatrix and stmatrix: each of the first `lanes` lanes addresses a row of 16 bytes.
#define HIRACE_PTX_ROWS(space, name)                                                                              \
  template <class Address>                                                                                        \
  HIRACE_HOOK Address ptx##space##_##name##_rows(SiteId site, unsigned lanes, std::int64_t offset, bool happens,  \
                                                 Address address) {                                               \
    return ptx##space##_##name(site, 16, offset, happens && backend::lane_number() < lanes, address);             \
  }                                                                                                               \
  template <class Address>                                                                                        \
  HIRACE_HOOK Address ptx##space##_##name##_rows(SiteId site, unsigned lanes, std::int64_t offset, Address address) { \
    return ptx##space##_##name##_rows(site, lanes, offset, true, address);                                        \
  }                                                                                                               \
  template <class Address>                                                                                        \
  HIRACE_HOOK Address ptx##space##_##name##_rows(SiteId site, unsigned lanes, Address address) {                  \
    return ptx##space##_##name##_rows(site, lanes, 0, true, address);                                             \
  }

HIRACE_PTX_ROWS(, read)
HIRACE_PTX_ROWS(, write)
HIRACE_PTX_ROWS(_shared, read)
HIRACE_PTX_ROWS(_shared, write)

#undef HIRACE_PTX_ROWS

}  // namespace hirace
