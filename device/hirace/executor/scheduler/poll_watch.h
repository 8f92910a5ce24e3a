// Threads that poll forever: a proof that no thread can make progress.
//
// If threads have only taken turns for a long time, all of them are watched. They continue, one
// access at a time, while device memory is read-only (poll_guard.h). A thread's next step depends
// on its registers, its stack and memory. If nothing is written and every thread returns to a state
// that it has been in, then each loops forever, whatever the others do: none of them writes in its
// loop, so none changes the path of another.
//
// Anything that the proof does not cover ends the watch, and the launch continues normally: a write, a thread
// that ends or reaches a barrier, a clock read, an allocation, memory unknown to hirace, other OS threads.
#pragma once

#include <fcntl.h>
#include <unistd.h>

#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <cstring>

#include "block_order.h"
#include "fiber.h"
#include "../check/monitor.h"
#include "poll_guard.h"
#include "scheduler_interface.h"

#if defined(__x86_64__) && defined(__linux__) && !defined(HIRACE_UCONTEXT)
#define HIRACE_POLL_WATCH 1
// Calls function(argument, registers) with the registers that the calling convention preserves
// stored on the stack, from `registers` on.
extern "C" void hirace_with_registers(void (*function)(void* argument, const void* registers), void* argument);
asm(R"(
.pushsection .text.hirace_with_registers,"axG",@progbits,hirace_with_registers,comdat
.weak hirace_with_registers
.type hirace_with_registers,@function
hirace_with_registers:
  pushq %rbp
  pushq %rbx
  pushq %r12
  pushq %r13
  pushq %r14
  pushq %r15
  movq %rdi, %rax
  movq %rsi, %rdi
  movq %rsp, %rsi
  subq $8, %rsp
  callq *%rax
  addq $8, %rsp
  popq %r15
  popq %r14
  popq %r13
  popq %r12
  popq %rbx
  popq %rbp
  ret
.size hirace_with_registers, .-hirace_with_registers
.popsection
)");
#endif

namespace hirace::cpu {

// OS threads started by the executor.
inline std::atomic<unsigned> helper_threads{0};

// Whether no other OS thread of the process can change memory: all others are the executor's.
inline bool runs_alone() {
  char text[1024];
  const int file = open("/proc/self/stat", O_RDONLY | O_CLOEXEC);
  if (file < 0) return false;
  const ssize_t length = ::read(file, text, sizeof text - 1);
  close(file);
  if (length <= 0) return false;
  text[length] = '\0';
  // proc(5): the name of the program, field 2, may contain any character; field 20 counts threads.
  const char* at = std::strrchr(text, ')');
  for (int field = 2; at != nullptr && field < 20; ++field) at = std::strchr(at + 1, ' ');
  return at != nullptr && std::strtoul(at + 1, nullptr, 10) == helper_threads.load() + 1;
}

class PollWatch {
 public:
  bool active() const { return active_; }
  // The livelock is proved, and threads make one more turn to show their sites.
  bool proved() const { return proved_; }
  std::uint32_t threads() const { return threads_; }
  bool host_visible() const { return poll_guard.host_visible(); }

  // Watches `threads` threads: all that can run.
  void begin(std::uint32_t threads) {
    if (reads_other_clocks || !runs_alone() || !poll_guard.arm()) return;
    active_ = true;
    threads_ = threads;
    repeating_ = 0;
    ++number_;
    constexpr std::uint64_t max_turns = 1 << 22, max_turns_of_one = 4096;
    turns_left_ = max_turns / threads < max_turns_of_one ? max_turns : threads * max_turns_of_one;
    unrepeatable_ = unrepeatable_calls;
    outside_ = monitor.outside;
  }

  void end() {
    if (!active_) return;
    active_ = false;
    poll_guard.disarm();
  }

  // A thread is about to let others run. May end the watch. What it knows is on its stack, and in `frame` if it is a
  // coroutine.
  void turn(Fiber& fiber, const void* frame, std::size_t frame_bytes) {
#ifdef HIRACE_POLL_WATCH
    if (proved_) return;
    const bool as_before = unrepeatable_calls == unrepeatable_ && monitor.outside == outside_ && poll_guard.untouched();
    if (!as_before || turns_left_-- == 0) return end();
    if (!fiber.repeats || fiber.watch != number_) {
      hirace_with_registers(&PollWatch::look, &fiber);
      if (frame != nullptr) state_ = hash(frame, static_cast<const char*>(frame) + frame_bytes, state_);
    }
    if (fiber.watch != number_) {
      fiber.watch = number_;
      fiber.repeats = false;
      fiber.turns = 0;
      fiber.turn_limit = 1;
      fiber.seen_state = state_;
    } else if (!fiber.repeats && fiber.seen_state == state_) {
      fiber.repeats = true;
      proved_ = ++repeating_ == threads_;
    } else if (!fiber.repeats && ++fiber.turns == fiber.turn_limit) {
      // Take a later state, for longer (Brent, BIT 20, 1980): the path into the loop is not part of the loop.
      fiber.seen_state = state_;
      fiber.turns = 0;
      fiber.turn_limit *= 2;
    }
#else
    static_cast<void>(fiber);
    static_cast<void>(frame);
    static_cast<void>(frame_bytes);
    end();
#endif
  }

 private:
  // A 64-bit hash of registers and stack, which differs if they do, except by rare chance.
  static void look(void* fiber, const void* registers) { state_ = hash(registers, static_cast<Fiber*>(fiber)->stack_end, 0); }

  static std::uint64_t hash(const void* begin, const void* end, std::uint64_t state) {
    for (const auto* word = static_cast<const char*>(begin); word < static_cast<const char*>(end); word += sizeof state) {
      std::uint64_t value;
      std::memcpy(&value, word, sizeof value);
      state = mix(state + value) + 0x9e3779b97f4a7c15ull;
    }
    return state;
  }

  static inline thread_local std::uint64_t state_ = 0;

  bool active_ = false;
  bool proved_ = false;
  std::uint32_t number_ = 0;
  std::uint32_t threads_ = 0, repeating_ = 0;
  std::uint64_t turns_left_ = 0;
  std::uint64_t unrepeatable_ = 0, outside_ = 0;
};

}  // namespace hirace::cpu
