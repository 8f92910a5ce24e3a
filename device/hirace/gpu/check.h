// The check of one access on the GPU: the inline part.
//
// The access is looked up in the shadow and compared with its word. Usually that suffices and
// nothing is written: the cost is one load, whose address is arithmetic. Accesses that need a page
// table, or are not aligned, take the slow path at once.
#pragma once

#include "../hooks/strength.h"
#include "check_words.h"

namespace hirace::gpu {

// Whether `words` already describe an access by the thread.
template <class Layout, std::size_t granules>
__device__ __forceinline__ bool unchanged(const typename Layout::Word* words, AccessKind kind) {
  const auto me = thread_identity<Layout>(block_clocks()[linear_thread()]);
  const std::uint32_t states = fsm_unchanged(folded(kind));
  bool same = true;
  for (std::size_t i = 0; i < granules; ++i) {
    same &= says_it_all<Layout>(load_cached<Layout>(words + i), me, states);
  }
  return same;
}

template <std::size_t size>
__device__ __forceinline__ void check_sized(AccessKind kind, const volatile void* pointer, SiteId site) {
  const auto address = reinterpret_cast<std::uintptr_t>(pointer);
  const bool shared = is_shared(pointer);
  const std::uint64_t wanted = shared ? monitor_shared : monitor_global;
  // An exact comparison, so that a block without a context returns here.
  if ((monitored_spaces() & ~(monitor_both ^ wanted)) != wanted) return;
  // A volatile read has its own rule. One call for all that is not inline, since each call is code, too.
  if (takes_shortcut && kind != AccessKind::volatile_read && has_words(address, size, shared) &&
      (shared ? unchanged<SharedLayout, size / granule_bytes>(shared_word(pointer), kind)
              : unchanged<GlobalLayout, size / granule_bytes>(window_word(address), kind))) {
    ::atomicAdd(&block_context().accesses, 1u);
  } else {
    check_any(address, PackedAccess(kind, size), site);
  }
}

// The hardware detects misaligned accesses, and nothing detects reads of unwritten memory: the last
// two parameters are for the CPU.
HIRACE_HOOK void check(AccessKind kind, const volatile void* pointer, std::size_t size, SiteId site, std::size_t = 1, bool = false) {
#ifdef __CUDA_ARCH__
  // A constant after inlining, so only one case remains. Bytes take the slow path, because their
  // granule may be split, and so do large structures.
  switch (size) {
    case 4: return check_sized<4>(kind, pointer, site);
    case 8: return check_sized<8>(kind, pointer, site);
    case 16: return check_sized<16>(kind, pointer, site);
    default:
      if (has_context()) check_any(reinterpret_cast<std::uintptr_t>(pointer), PackedAccess(kind, size), site);
  }
#else
  (void)kind, (void)pointer, (void)size, (void)site;
#endif
}

// Only the CPU executor compares the values of racing writes.
struct LaterStore {
  HIRACE_HOOK LaterStore() {}
};

HIRACE_HOOK constexpr bool volatile_is_strong() { return volatile_strong; }
HIRACE_HOOK constexpr bool shuffles_order() { return shuffles_in_order; }

// The state machine does not follow the order that an access creates: a race that it may have
// prevented is only a possible race. Only the CPU executor follows it.
HIRACE_HOOK void check_strong(AccessKind kind, const Strength& how, const volatile void* pointer, std::size_t size, SiteId site,
                              std::size_t align, bool reads) {
  if (acquires(how.order) || releases(how.order)) record_construct(site, memory_fence);
  check(kind, pointer, size, site, align, reads);
}
// A GPU schedules its threads itself.
HIRACE_HOOK void begin_strong_access(bool) {}
HIRACE_HOOK void scheduling_point() {}
HIRACE_HOOK bool would_exchange(const volatile void*, const volatile void*, std::size_t) { return true; }
template <class Construct>
HIRACE_HOOK void note_use() {}

}  // namespace hirace::gpu

namespace hirace {
// The headers above this one call this namespace, for either backend.
namespace backend = gpu;
}  // namespace hirace
