// Fibers: stacks that CUDA threads wait on, and the switch between them.
//
// A switch saves the registers that the calling convention preserves and returns on the other
// stack. Signal masks and floating-point modes are the same for all CUDA threads, so they are not
// switched; switching them is what makes ucontext slow.
#pragma once

#include <sys/mman.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <new>

#include "../../hooks/site.h"
#include "../environment.h"
#include "../memory/arena.h"

#if !defined(__ELF__) || !(defined(__x86_64__) || defined(__aarch64__))
#define HIRACE_UCONTEXT 1
#endif
#ifdef HIRACE_UCONTEXT
#include <ucontext.h>
#endif

namespace hirace::cpu {

struct Block;

// A CUDA thread that waits, or has the processor.
struct Waiting {
  // Where to continue: of a fiber, with the saved registers on the stack above it, or the frame of a coroutine.
  void* stack_pointer = nullptr;
  void* operand = nullptr;        // for a collective of the block (block_collective.h)
  std::uint32_t thread = 0;       // its linear number in its block
  SiteId site = unknown_site;     // where it waits
  std::uint32_t waits_for = 0;    // lanes, while it waits for a warp; 0 for the block
  bool has_stack = true;          // false for a coroutine (regions.h)
};

struct Fiber : Waiting {
#ifdef HIRACE_UCONTEXT
  ucontext_t context;
#endif
  Block* block = nullptr;         // of the running CUDA thread
  Fiber* next_idle = nullptr;     // in its pool
  std::uint64_t priority = 0;     // of a thread that has lost its own (priorities.h), and the next lower one
  Fiber* next_low = nullptr;
  const char* stack_end = nullptr;
  // For the current watch (poll_watch.h): a state that the thread was in, the number of the watch,
  // turns since that state, and how many turns until it is replaced by a later one.
  std::uint64_t seen_state = 0;
  std::uint32_t watch = 0, turns = 0, turn_limit = 0;
  bool repeats = false, shows_place = false;
};

#ifndef HIRACE_UCONTEXT
// Saves into *from, continues at to. A COMDAT section, like an inline function, keeps one copy of
// the code however many translation units define it.
extern "C" void hirace_switch_stack(void** from, void* to);

#if defined(__x86_64__)
asm(R"(
.pushsection .text.hirace_switch_stack,"axG",@progbits,hirace_switch_stack,comdat
.weak hirace_switch_stack
.type hirace_switch_stack,@function
hirace_switch_stack:
  pushq %rbp
  pushq %rbx
  pushq %r12
  pushq %r13
  pushq %r14
  pushq %r15
  movq %rsp, (%rdi)
  movq %rsi, %rsp
  popq %r15
  popq %r14
  popq %r13
  popq %r12
  popq %rbx
  popq %rbp
  ret
.size hirace_switch_stack, .-hirace_switch_stack
.popsection
)");
constexpr std::size_t saved_registers = 6;  // below the return address
#else
asm(R"(
.pushsection .text.hirace_switch_stack,"axG",@progbits,hirace_switch_stack,comdat
.weak hirace_switch_stack
.type hirace_switch_stack,%function
hirace_switch_stack:
  sub sp, sp, #176
  stp x29, x30, [sp, #0]
  stp x19, x20, [sp, #16]
  stp x21, x22, [sp, #32]
  stp x23, x24, [sp, #48]
  stp x25, x26, [sp, #64]
  stp x27, x28, [sp, #80]
  stp d8, d9, [sp, #96]
  stp d10, d11, [sp, #112]
  stp d12, d13, [sp, #128]
  stp d14, d15, [sp, #144]
  mov x9, sp
  str x9, [x0]
  mov sp, x1
  ldp x29, x30, [sp, #0]
  ldp x19, x20, [sp, #16]
  ldp x21, x22, [sp, #32]
  ldp x23, x24, [sp, #48]
  ldp x25, x26, [sp, #64]
  ldp x27, x28, [sp, #80]
  ldp d8, d9, [sp, #96]
  ldp d10, d11, [sp, #112]
  ldp d12, d13, [sp, #128]
  ldp d14, d15, [sp, #144]
  add sp, sp, #176
  ret
.size hirace_switch_stack, .-hirace_switch_stack
.popsection
)");
constexpr std::size_t frame_words = 22;
constexpr std::size_t link_register = 1;  // its word in the frame
#endif
#endif  // HIRACE_UCONTEXT

// The fibers of one OS thread. A fiber without work is suspended in its loop and continues from
// there; stacks are reused, most recently used first. Fibers are stored after their stacks, so
// that a schedule that needs more of them than before takes nothing from the program's heap.
class FiberPool {
 public:
  using Entry = void (*)();

  explicit FiberPool(Entry entry) : entry_(entry) {
    const std::uint32_t asked = environment_number("HIRACE_STACK_BYTES", arena().limited() ? least_default_bytes : default_bytes);
    stack_bytes_ = round_up_to_page(asked < minimum_stack_bytes ? minimum_stack_bytes : asked);
  }
  FiberPool(const FiberPool&) = delete;
  FiberPool& operator=(const FiberPool&) = delete;

  ~FiberPool() {
    while (chunks_ != nullptr) {
      Chunk* const chunk = chunks_;
      chunks_ = chunk->next;
      munmap(chunk->stacks, chunk_bytes());
    }
  }

  Fiber* take() {
    if (idle_ == nullptr) grow();
    Fiber* const fiber = idle_;
    idle_ = fiber->next_idle;
    return fiber;
  }
  void give_back(Fiber* fiber) {
    fiber->next_idle = idle_;
    idle_ = fiber;
  }

  // Gives back the running fiber, whose work is not to be continued. Its stack is in use until the next switch.
  void restart(Fiber* fiber) {
    prepare(*fiber, const_cast<char*>(fiber->stack_end) - stack_bytes_, const_cast<char*>(fiber->stack_end));
    give_back(fiber);
  }

  // Whether a fiber's stack has no room for what is below an address.
  bool is_below_stack(const Fiber& fiber, std::uintptr_t address) const {
    return fiber.stack_end != nullptr && reinterpret_cast<std::uintptr_t>(fiber.stack_end) - address > stack_bytes_;
  }

  // Whether an address is in a guard page: its fiber's stack has overflowed.
  bool is_guard(std::uintptr_t address) const {
    for (const Chunk* chunk = chunks_; chunk != nullptr; chunk = chunk->next) {
      const std::uintptr_t offset = address - reinterpret_cast<std::uintptr_t>(chunk->stacks);
      if (offset < stacks_bytes()) return offset % stride() < guard_bytes;
    }
    return false;
  }

  // Whether an address is on the stack of any fiber.
  bool has(std::uintptr_t address) const {
    for (const Chunk* chunk = chunks_; chunk != nullptr; chunk = chunk->next) {
      if (address - reinterpret_cast<std::uintptr_t>(chunk->stacks) < stacks_bytes()) return true;
    }
    return false;
  }

  std::size_t stack_bytes() const { return stack_bytes_; }

 private:
  // As much as functions with probed stacks may skip (crates/toolchain/src/compile.rs).
#if defined(__aarch64__)
  static constexpr std::size_t guard_bytes = 65536;
#else
  static constexpr std::size_t guard_bytes = 4096;
#endif
  static constexpr std::size_t minimum_stack_bytes = 8192;
  // A thread of a GPU may have 512 KiB of local memory (CUDA guide, Compute Capabilities); the rest is for
  // functions that it calls. Memory that it does not touch costs address space only.
  static constexpr std::uint32_t default_bytes = (512 + 128) << 10, least_default_bytes = 128 << 10;
  static constexpr std::size_t stacks_per_chunk = 32;
  static constexpr std::uint32_t max_guards = 12000;
  static inline std::atomic<std::uint32_t> guards{0};
  // If all stacks began at the same offset, they would share a few cache sets.
  static constexpr std::size_t colours = 16;
  static constexpr std::size_t colour_bytes = 192;

  // Stored after the stacks of its fibers.
  struct Chunk {
    Chunk* next;
    char* stacks;
    Fiber fibers[stacks_per_chunk];
  };

  static std::size_t round_up_to_page(std::size_t bytes) { return (bytes + guard_bytes - 1) / guard_bytes * guard_bytes; }

  std::size_t stride() const { return guard_bytes + stack_bytes_; }
  std::size_t stacks_bytes() const { return stride() * stacks_per_chunk; }
  std::size_t chunk_bytes() const { return stacks_bytes() + round_up_to_page(sizeof(Chunk)); }

  void grow() {
    void* const memory =
        mmap(nullptr, chunk_bytes(), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
    if (memory == MAP_FAILED) {
      std::fputs("hirace: failed to reserve stacks for more threads\n", stderr);
      std::_Exit(2);
    }
    char* const stacks = static_cast<char*>(memory);
    // A thread touches a page or two of its stack, not two megabytes.
    madvise(stacks, chunk_bytes(), MADV_NOHUGEPAGE);
    auto* const chunk = new (stacks + stacks_bytes()) Chunk;
    chunk->next = chunks_;
    chunk->stacks = stacks;
    chunks_ = chunk;
    for (std::size_t i = stacks_per_chunk; i-- > 0;) {
      char* const low = stacks + i * stride();
      // Every guard page is a mapping, and the system allows some 65,000 per process. Beyond our
      // share of them, overflows are not detected.
      if (guards.fetch_add(1, std::memory_order_relaxed) < max_guards) mprotect(low, guard_bytes, PROT_NONE);
      prepare(chunk->fibers[i], low + guard_bytes, low + stride() - i % colours * colour_bytes);
      give_back(&chunk->fibers[i]);
    }
  }

  void prepare(Fiber& fiber, char* low, char* top) {
    fiber.stack_end = top;
#if defined(HIRACE_UCONTEXT)
    getcontext(&fiber.context);
    fiber.context.uc_stack.ss_sp = low;
    fiber.context.uc_stack.ss_size = static_cast<std::size_t>(top - low);
    fiber.context.uc_link = nullptr;
    makecontext(&fiber.context, entry_, 0);
#elif defined(__x86_64__)
    static_cast<void>(low);
    auto* word = reinterpret_cast<void**>(top);
    *--word = nullptr;  // the return address of the entry: ends a debugger's backtrace
    *--word = reinterpret_cast<void*>(entry_);
    for (std::size_t i = 0; i < saved_registers; ++i) *--word = nullptr;
    fiber.stack_pointer = word;
#else
    static_cast<void>(low);
    auto* const frame = reinterpret_cast<void**>(top) - frame_words;
    for (std::size_t i = 0; i < frame_words; ++i) frame[i] = nullptr;
    frame[link_register] = reinterpret_cast<void*>(entry_);
    fiber.stack_pointer = frame;
#endif
  }

  Entry entry_;
  std::size_t stack_bytes_;
  Chunk* chunks_ = nullptr;
  Fiber* idle_ = nullptr;
};

inline void switch_fiber(Fiber& from, Fiber& to) {
#ifdef HIRACE_UCONTEXT
  swapcontext(&from.context, &to.context);
#else
  hirace_switch_stack(&from.stack_pointer, to.stack_pointer);
#endif
}

}  // namespace hirace::cpu
