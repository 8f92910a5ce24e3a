// Which OS thread may change shadow without an atomic operation.
//
// Blocks mostly access memory of their own, so that most granules are ever changed by one OS
// thread alone, and a locked instruction for each would be the better part of what the check
// of a streaming kernel costs: it waits for all stores before it. So a page of shadow belongs
// to the first OS thread of a launch that changes it. Its owner announces in its Monitor that
// it is in the page, looks whether the page is still its own, changes shadow by plain stores,
// and leaves. Another OS thread first revokes the page, which is then shared, by lock, until
// the launch ends.
//
// Announcing and looking are a store and a load of different places, which processors reorder
// (Dekker's problem). The owner has no fence; the revoker has one for both, membarrier(2):
// after it, the owner either sees the revocation or is seen to be in the page. Such biased
// locks are worth it while they are rarely revoked, so revocations have to be earned by pages
// that were taken, and a page that comes after too many of them is shared from the start.
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
    owners = ShadowMemory::reserve<std::uint32_t>(pages_);
    has_barrier_ = syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED, 0, 0) == 0;
  }

  // Every page is nobody's. No worker is running.
  void begin_launch(std::uint64_t serial) {
    launch_ = static_cast<std::uint32_t>(serial % launches + 1) << number_bits;
    workers_ = taken_ = revoked_ = 0;
  }

  // Gives the calling worker its mark; none where there are more workers than numbers.
  void begin_worker(Monitor& worker) {
    const std::uint32_t number = __atomic_fetch_add(&workers_, 1, __ATOMIC_RELAXED);
    worker.shared_mark = launch_ | shared;
    worker.owner_mark = number < revoking ? launch_ | number : nobody;
    if (number < revoking) __atomic_store_n(&monitors_[number], &worker, __ATOMIC_RELEASE);
  }

  // The page becomes the calling worker's, and true; or it is shared.
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
  // An owner's mark: the launch, and the worker's number in it or one of two others.
  static constexpr unsigned number_bits = 8;
  static constexpr std::uint32_t numbers = (1u << number_bits) - 1;
  static constexpr std::uint32_t shared = numbers, revoking = numbers - 1;
  // Numbers of launches: not 0, which untouched memory has, nor the last one, whose marks
  // would include nobody's.
  static constexpr std::uint64_t launches = (std::uint64_t{1} << (32 - number_bits)) - 2;
  static constexpr std::uint32_t nobody = ~std::uint32_t{0};
  // A revocation takes as long as some hundred locked instructions.
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
