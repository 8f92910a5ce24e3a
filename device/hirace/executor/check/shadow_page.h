// Entering a page of shadow; shadow_ownership.h says why and when that is allowed.
#pragma once

#include "granule.h"
#include "thread.h"

namespace hirace::cpu {

// Makes the page the calling worker's own; false where it is shared. Once a page.
bool take_page(Monitor& m, std::uint32_t& owner);

// The right to change what is known of the granules of a page, from enter_page() until
// leave_page(). False where the page is shared.
HIRACE_HOOK bool enter_page(Monitor& m, Granule index) {
  std::uint32_t& owner = m.owners[index / owned_granules];
  for (;;) {
    const std::uint32_t mark = __atomic_load_n(&owner, __ATOMIC_ACQUIRE);
    if (mark == m.shared_mark) return false;
    if (__builtin_expect(mark != m.owner_mark, 0) && !take_page(m, owner)) return false;
    __atomic_store_n(&m.in_page, &owner, __ATOMIC_RELAXED);
    // The compiler keeps the order; the processor's is the revoker's to see to.
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    if (__builtin_expect(__atomic_load_n(&owner, __ATOMIC_RELAXED) == m.owner_mark, 1)) return true;
    __atomic_store_n(&m.in_page, nullptr, __ATOMIC_RELEASE);
  }
}

HIRACE_HOOK void leave_page(Monitor& m) { __atomic_store_n(&m.in_page, nullptr, __ATOMIC_RELEASE); }

}  // namespace hirace::cpu
