// Barriers as functions of C: those with numbers, and mbarrier objects (CUDA C++ Programming Guide, "Memory Barrier
// Primitives Interface", "Pipeline Primitives Interface").
#pragma once

#include "ptx_barriers.h"
#include "ptx_registers.h"

template <class = void>
inline void __barrier_sync_count(unsigned number, unsigned threads) {
  hirace::cpu::ptx::barrier_sync(hirace::unknown_site, number, threads);
}
template <class = void>
inline void __barrier_sync(unsigned number) {
  __barrier_sync_count(number, blockDim.x * blockDim.y * blockDim.z);
}

using __mbarrier_t = std::uint64_t;
using __mbarrier_token_t = std::uint64_t;

constexpr std::uint32_t __mbarrier_maximum_count() { return (1u << 20) - 1; }
template <class = void>
inline void __mbarrier_init(__mbarrier_t* barrier, std::uint32_t count) {
  hirace::cpu::ptx::mbarrier_init(hirace::unknown_site, barrier, count);
}
inline void __mbarrier_inval(__mbarrier_t*) {}
template <class = void>
inline __mbarrier_token_t __mbarrier_arrive(__mbarrier_t* barrier) {
  return hirace::cpu::ptx::mbarrier_arrive(hirace::unknown_site, barrier, hirace::Order::release, hirace::Scope::block, 1, 0);
}
template <class = void>
inline __mbarrier_token_t __mbarrier_arrive_and_drop(__mbarrier_t* barrier) {
  return hirace::cpu::ptx::mbarrier_drop(hirace::unknown_site, barrier, hirace::Order::release, hirace::Scope::block, 1, 0);
}
inline std::uint32_t __mbarrier_token_pending_count(__mbarrier_token_t token) {
  return hirace::cpu::ptx::mbarrier_pending_count(token);
}
template <class = void>
inline bool __mbarrier_test_wait(__mbarrier_t* barrier, __mbarrier_token_t token) {
  return hirace::cpu::ptx::mbarrier_try_wait(hirace::unknown_site, barrier, hirace::Order::acquire, hirace::Scope::block, token);
}
template <class = void>
inline bool __mbarrier_test_wait_parity(__mbarrier_t* barrier, bool parity) {
  return hirace::cpu::ptx::mbarrier_try_wait_parity(hirace::unknown_site, barrier, hirace::Order::acquire, hirace::Scope::block, parity);
}
template <class = void>
inline bool __mbarrier_try_wait(__mbarrier_t* barrier, __mbarrier_token_t token, std::uint32_t) {
  return __mbarrier_test_wait(barrier, token);
}
template <class = void>
inline bool __mbarrier_try_wait_parity(__mbarrier_t* barrier, bool parity, std::uint32_t) {
  return __mbarrier_test_wait_parity(barrier, parity);
}
// The present phase waits for the copies that the thread has issued, which are no arrival.
template <class = void>
inline void __pipeline_arrive_on(__mbarrier_t* barrier) {
  hirace::cpu::ptx::mbarrier_arrive_copies(hirace::unknown_site, barrier, false);
}
