// The stack of signal handlers.
#pragma once

#include <signal.h>
#include <sys/mman.h>

#include <cstddef>

namespace hirace::cpu {

// Handlers run on a separate stack, since the stack that overflowed is unusable.
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

}  // namespace hirace::cpu
