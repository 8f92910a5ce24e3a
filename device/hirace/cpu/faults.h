// What a crash in a kernel becomes: a diagnosis with kernel, place and thread.
//
// Crashes in host code are none of our business: the action that was in force
// before ours comes back, and the instruction runs again.
#pragma once

#include <signal.h>
#include <sys/mman.h>

#include <cstdio>
#include <cstdlib>

#include "device_heap.h"
#include "hook_text.h"
#include "monitor.h"
#include "worker.h"

namespace hirace::cpu {

constexpr int fault_signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
constexpr int signal_numbers = 32;
inline struct sigaction earlier_actions[signal_numbers];

inline Fault kind_of_fault(int signal, std::uintptr_t address) {
  if (signal == SIGFPE) return Fault::arithmetic;
  if (signal == SIGILL) return Fault::trap;
  if (signal == SIGABRT) return Fault::abort;
  if (this_worker->pool().is_guard(address)) return Fault::stack_overflow;
  if (!arena().contains(address)) return Fault::illegal_address;
  switch (device_heap().classify(address)) {
    case AddressKind::freed: return Fault::use_after_free;
    case AddressKind::red_zone:
    case AddressKind::unknown: return Fault::out_of_bounds;
    case AddressKind::allocated: return Fault::illegal_address;
  }
  return Fault::illegal_address;
}

// The access that was checked last at this address is the one that faulted.
inline SiteId site_of_fault(std::uintptr_t address) {
  if (!arena().contains(address)) return monitor.site;
  const SiteId site = shadow_memory().sites[(address - arena().base()) / granule_bytes] & site_mask;
  return site != unknown_site ? site : monitor.site;
}

inline void on_fault(int signal, siginfo_t* info, void*) {
  // A second fault, here, is one of the program without us.
  for (const int other : fault_signals) sigaction(other, &earlier_actions[other], nullptr);
  if (!monitor.in_kernel) {
    // The faulting instruction runs again; abort() raises its signal again itself.
    return;
  }
  const auto address = reinterpret_cast<std::uintptr_t>(info->si_addr);
  const bool memory = signal == SIGSEGV || signal == SIGBUS;
  const Fault fault = kind_of_fault(signal, address);
  if (fault == Fault::stack_overflow) {
    std::fprintf(stderr, "hirace: a thread needs more than %zu KiB of stack; HIRACE_STACK_BYTES sets the size\n",
                 this_worker->pool().stack_bytes() / 1024);
  }
  fail(fault, memory ? site_of_fault(address) : monitor.site, memory ? address : 0);
}

inline void install_fault_handlers() {
  static const bool installed = [] {
    struct sigaction action {};
    action.sa_sigaction = &on_fault;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK;
    sigemptyset(&action.sa_mask);
    for (const int signal : fault_signals) sigaction(signal, &action, &earlier_actions[signal]);
    return true;
  }();
  static_cast<void>(installed);
}

// Handlers run on a stack of their own: the one that overflowed is of no use.
class SignalStack {
 public:
  SignalStack() {
    memory_ = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory_ == MAP_FAILED) return;
    stack_t stack{};
    stack.ss_sp = memory_;
    stack.ss_size = bytes;
    sigaltstack(&stack, nullptr);
  }
  ~SignalStack() {
    if (memory_ == MAP_FAILED) return;
    stack_t none{};
    none.ss_flags = SS_DISABLE;
    sigaltstack(&none, nullptr);
    munmap(memory_, bytes);
  }
  SignalStack(const SignalStack&) = delete;
  SignalStack& operator=(const SignalStack&) = delete;

 private:
  static constexpr std::size_t bytes = 64 * 1024;
  void* memory_;
};

// A failed assertion, in a kernel with the words that CUDA uses.
[[noreturn]] inline void fail_assertion(const char* expression, const char* file, unsigned line, const char* function) {
  const PlainText plain = without_hooks(expression);
  if (!monitor.in_kernel) {
    std::fprintf(stderr, "%s:%u: %s: Assertion `%s' failed.\n", file, line, function, plain.text.c_str());
    std::abort();
  }
  std::fprintf(stderr, "%s:%u: %s: block: [%u,%u,%u], thread: [%u,%u,%u] Assertion `%s` failed.\n", file, line, function, blockIdx.x,
               blockIdx.y, blockIdx.z, threadIdx.x, threadIdx.y, threadIdx.z, plain.text.c_str());
  fail(Fault::assertion, plain.first_site, 0);
}

}  // namespace hirace::cpu

#ifdef __GLIBC__
// What glibc's assert() calls, in place of the library's. The macro itself is
// redefined by every inclusion of <cassert>, so there is nothing else to hold on to.
extern "C" __attribute__((used, noreturn)) inline void __assert_fail(const char* expression, const char* file, unsigned line,
                                                                     const char* function) noexcept {
  hirace::cpu::fail_assertion(expression, file, line, function);
}
#endif
