// Which OS thread may change shadow without atomic operations.
//
// Blocks mostly access their own memory, so most granules are only ever changed by one OS thread. A
// locked instruction for each, which waits for all earlier stores, would be most of the cost of
// checking a streaming kernel. So the first OS thread of a launch that changes a page of shadow
// owns it. The owner announces in its Monitor that it is in the page, checks that it still owns the
// page, changes shadow by plain stores, and leaves. Another OS thread first revokes the page, which
// is then shared, under the lock bit, until the launch ends.
//
// The announcement and the check are a store and a load of different locations, which processors
// reorder (Dekker's problem). The owner has no fence; the revoker issues one for both,
// membarrier(2): after it, the owner either sees the revocation or is seen to be in the page. Such
// biased locks pay off only while revocations are rare. So the number of revocations is limited in
// proportion to the pages taken; beyond that, pages are shared from the start.
#pragma once

#include <linux/membarrier.h>
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "shadow_memory.h"
#include "thread.h"

namespace hirace::cpu {

class ShadowOwnership {
 public:
  ShadowOwnership() : pages_(shadow_memory().granules() / owned_granules + 1) {
    owners = ShadowMemory::reserve<std::uint32_t>(pages_, pages_);
    has_barrier_ = syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED, 0, 0) == 0;
  }

  // No page has an owner. No worker is running.
  void begin_launch(std::uint64_t serial) {
    launch_ = static_cast<std::uint32_t>(serial % launches + 1) << number_bits;
    workers_ = taken_ = revoked_ = 0;
  }

  // Gives the calling worker its mark; none if there are more workers than numbers.
  void begin_worker(Monitor& worker) {
    const std::uint32_t number = __atomic_fetch_add(&workers_, 1, __ATOMIC_RELAXED);
    worker.shared_mark = launch_ | shared;
    worker.owner_mark = number < revoking ? launch_ | number : nobody;
    if (number < revoking) __atomic_store_n(&monitors_[number], &worker, __ATOMIC_RELEASE);
  }

  // True if the calling worker owns the page, perhaps only now; false if the page is shared.
  bool take(Monitor& m, std::uint32_t& owner) {
    for (;;) {
      std::uint32_t current = __atomic_load_n(&owner, __ATOMIC_ACQUIRE);
      if (current == m.shared_mark) return false;
      if (current == m.owner_mark) return true;
      if ((current ^ launch_) >> number_bits != 0) {
        const std::uint32_t next = m.owner_mark != nobody && may_own() ? m.owner_mark : m.shared_mark;
        __atomic_compare_exchange_n(&owner, &current, next, false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED);
      } else if (current == (launch_ | revoking)) {
        sched_yield();
      } else if (__atomic_compare_exchange_n(&owner, &current, launch_ | revoking, false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED)) {
        revoke(owner, current & numbers);
      }
    }
  }

  std::uint32_t* owners;

 private:
  // An owner's mark: the launch and the worker's number in it, or one of two special numbers.
  static constexpr unsigned number_bits = 8;
  static constexpr std::uint32_t numbers = (1u << number_bits) - 1;
  static constexpr std::uint32_t shared = numbers, revoking = numbers - 1;
  // Launch numbers: not 0, which untouched memory has, nor the last one, whose marks would include `nobody`.
  static constexpr std::uint64_t launches = (std::uint64_t{1} << (32 - number_bits)) - 2;
  static constexpr std::uint32_t nobody = ~std::uint32_t{0};
  // A revocation costs as much as some hundred locked instructions.
  static constexpr std::uint32_t free_revocations = 16, pages_per_revocation = 16;

  bool may_own() {
    if (!has_barrier_) return false;
    const std::uint32_t taken = __atomic_add_fetch(&taken_, 1, __ATOMIC_RELAXED);
    return __atomic_load_n(&revoked_, __ATOMIC_RELAXED) < free_revocations + taken / pages_per_revocation;
  }

  void revoke(std::uint32_t& owner, std::uint32_t number) {
    __atomic_fetch_add(&revoked_, 1, __ATOMIC_RELAXED);
    syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0, 0);
    const Monitor* const worker = __atomic_load_n(&monitors_[number], __ATOMIC_ACQUIRE);
    while (__atomic_load_n(&worker->in_page, __ATOMIC_ACQUIRE) == &owner) sched_yield();
    __atomic_store_n(&owner, launch_ | shared, __ATOMIC_RELEASE);
  }

  const std::size_t pages_;
  bool has_barrier_;
  std::uint32_t launch_ = 0;
  std::uint32_t workers_ = 0, taken_ = 0, revoked_ = 0;
  Monitor* monitors_[revoking] = {};
};

inline ShadowOwnership& shadow_ownership() {
  static ShadowOwnership* const ownership = new ShadowOwnership;
  return *ownership;
}

}  // namespace hirace::cpu
