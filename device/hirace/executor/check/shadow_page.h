// Entering a page of shadow; shadow_ownership.h explains why and when that is allowed.
#pragma once

#include "granule.h"
#include "thread.h"

namespace hirace::cpu {

// Makes the calling worker the page's owner; false if the page is shared. Called once per page.
bool take_page(Monitor& m, std::uint32_t& owner);

// The right to change the shadow of a page's granules, from enter_page() until leave_page(). False
// if the page is shared.
HIRACE_HOOK bool enter_page(Monitor& m, Granule index) {
  std::uint32_t& owner = m.owners[index / owned_granules];
  for (;;) {
    const std::uint32_t mark = __atomic_load_n(&owner, __ATOMIC_ACQUIRE);
    if (mark == m.shared_mark) return false;
    if (__builtin_expect(mark != m.owner_mark, 0) && !take_page(m, owner)) return false;
    __atomic_store_n(&m.in_page, &owner, __ATOMIC_RELAXED);
    // This orders the compiler; the revoker's fence orders the processor.
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    if (__builtin_expect(__atomic_load_n(&owner, __ATOMIC_RELAXED) == m.owner_mark, 1)) return true;
    __atomic_store_n(&m.in_page, nullptr, __ATOMIC_RELEASE);
  }
}

HIRACE_HOOK void leave_page(Monitor& m) { __atomic_store_n(&m.in_page, nullptr, __ATOMIC_RELEASE); }

}  // namespace hirace::cpu
