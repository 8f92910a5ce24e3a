// Turns a crash in a kernel into a report with kernel, site and thread.
//
// Crashes in host code belong to the program: its own action is restored, and the instruction runs again.
#pragma once

#include <pthread.h>
#include <sched.h>
#include <signal.h>

#include <atomic>
#include <cstdio>
#include <mutex>
#include <new>

#include "check/access_extent.h"
#include "check/access_fault.h"
#include "check/fault_record.h"
#include "fault_place.h"
#include "memory/device_heap.h"
#include "memory/host_guard.h"
#include "runtime/stream_work.h"
#include "scheduler/worker.h"

namespace hirace::cpu {

constexpr int fault_signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
// Signals that end a program from outside: from the command at a time limit, or from the user.
constexpr int end_signals[] = {SIGTERM, SIGINT, SIGHUP};
constexpr int signal_numbers = 32;
// The program's actions: the latest ones, and those from before hirace's handlers.
inline struct sigaction program_actions[signal_numbers], first_actions[signal_numbers];

// A function may have moved the stack pointer beyond the guard page before it accesses its frame.
inline bool is_stack_overflow(std::uintptr_t address, void* context) {
  const std::uintptr_t stack = interrupted_stack_pointer(context);
  return this_worker->pool().is_guard(address) || (stack != 0 && this_worker->is_below_stack(stack));
}

inline Fault kind_of_fault(int signal, std::uintptr_t address, void* context) {
  if (signal == SIGFPE) return Fault::arithmetic;
  if (signal == SIGILL) return Fault::trap;
  if (signal == SIGABRT) return Fault::abort;
  if (is_stack_overflow(address, context)) return Fault::stack_overflow;
  if (!arena().contains(address)) return Fault::illegal_address;
  switch (device_heap().classify(address)) {
    case AddressKind::freed: return Fault::use_after_free;
    case AddressKind::red_zone:
    case AddressKind::unknown: return Fault::out_of_bounds;
    case AddressKind::allocated: return Fault::illegal_address;
  }
  return Fault::illegal_address;
}

inline bool is_access_fault(Fault fault) {
  return fault == Fault::out_of_bounds || fault == Fault::use_after_free || fault == Fault::illegal_address;
}

// The access last checked at this address is the one that faulted.
inline SiteId site_of_fault(std::uintptr_t address) {
  if (!arena().contains(address)) return monitor.site;
  const SiteId site = shadow_memory().sites[(address - arena().base()) / granule_bytes] & site_mask;
  return site != unknown_site ? site : monitor.site;
}

// The bytes of that access, as far as its word tells; 0 if they are not known.
inline std::uint8_t size_of_fault(std::uintptr_t address) {
  const std::size_t offset = address - monitor.window;
  if (!arena().contains(address) || offset / granule_bytes >= monitor.window_granules) return 0;
  Witness access{};
  AccessExtent(monitor, in_shared_memory(address)).find(offset, access);
  return access.offset == 0 ? access.size : 0;
}

// Host code has accessed device memory: the first such access is reported.
inline void note_host_access(std::uintptr_t address, const void* instruction) {
  if (!host_guard().give_up()) return;
  Record record = fault_record(Fault::host_access, unknown_site, address);
  record.kernel = no_kernel;
  record.code_address = code_address(instruction);
  recorder().add(record, [&](Whereabouts& where) { describe_nearest(where, address); });
}

// Whether an access, and not the fetch of an instruction, has met memory without rights.
inline bool lacks_rights(int signal, const siginfo_t* info, void* context) {
  return signal == SIGSEGV && info->si_code == SEGV_ACCERR && info->si_addr != interrupted_instruction(context);
}

// Gives device memory its rights back, if it has lost them; the instruction can then run again. Only
// the guard takes them away, so this is no fault of the program.
inline bool restore_rights(std::uintptr_t address) {
  if (!host_guard().is_guarded(address)) {
    if (!arena().contains(address) || device_heap().classify(address) != AddressKind::allocated) return false;
  }
  if (host_guard().give_up()) recorder().note_limit(host_accesses_not_followed);
  const std::uintptr_t page = address / page_bytes * page_bytes;
  return Arena::commit(page, page + page_bytes);
}

// How often the handlers were installed, and when the calling thread left a signal to the program.
inline std::atomic<unsigned> installations{0};
inline thread_local unsigned left_at[signal_numbers];

// The signal is for the program. If its handler has passed the signal on to hirace's, what was there
// before both comes next.
inline void leave_to_program(int signal, const siginfo_t* info) {
  const unsigned now = installations.load();
  const bool came_back = left_at[signal] == now;
  left_at[signal] = now;
  sigaction(signal, came_back ? &first_actions[signal] : &program_actions[signal], nullptr);
  // A faulting instruction runs again. Any other signal has to be sent again.
  if (info->si_code <= 0) raise(signal);
}

#if defined(__x86_64__) && defined(__linux__) && !defined(HIRACE_UCONTEXT)
#define HIRACE_THREADS_END_EARLY 1
// Runs on the stack of the thread that has made the fault.
[[noreturn]] inline void end_thread() { this_worker->end_thread(true); }
#endif

// Lets the faulting instruction of a kernel run again. False if that is not possible.
inline bool give_memory(Fault fault, std::uintptr_t address) {
  if (fault != Fault::out_of_bounds && fault != Fault::use_after_free) return false;
  return device_heap().give_stray_page(address, fault == Fault::use_after_free ? Poison::freed : Poison::red_zone);
}

// Whether the thread can end after a fault, and its kernel go on.
inline bool can_end_after(Fault fault, void* context) {
#ifdef HIRACE_THREADS_END_EARLY
  // A function of a library may hold a lock.
  return fault == Fault::illegal_address && in_program(interrupted_instruction(context));
#else
  static_cast<void>(fault);
  static_cast<void>(context);
  return false;
#endif
}

// The interrupted thread ends once the handler has returned. From then on the stack below the handler is no longer
// that of the fault.
inline void end_interrupted([[maybe_unused]] void* context) {
#ifdef HIRACE_THREADS_END_EARLY
  auto& registers = static_cast<ucontext_t*>(context)->uc_mcontext.gregs;
  // Its hook has counted it as one to memory that is not known.
  if (monitor.section && monitor.outside != 0) --monitor.outside;
  // As after a call, below what the interrupted function may use.
  constexpr greg_t red_zone = 128, alignment = 16;
  registers[REG_RSP] = (registers[REG_RSP] - red_zone) / alignment * alignment - static_cast<greg_t>(sizeof(void*));
  registers[REG_RIP] = reinterpret_cast<greg_t>(&end_thread);
#endif
}

// The address that a signal names. The kernel names none that is not canonical; then it is the lowest of its own.
inline std::uintptr_t address_of(int signal, const siginfo_t* info) {
  constexpr std::uintptr_t lowest_of_kernel = 0xffff800000000000;
  return signal == SIGSEGV && info->si_code == SI_KERNEL ? lowest_of_kernel : reinterpret_cast<std::uintptr_t>(info->si_addr);
}

inline void on_fault(int signal, siginfo_t* info, void* context) {
  const auto address = address_of(signal, info);
  const bool memory = signal == SIGSEGV || signal == SIGBUS;
  if (monitor.in_kernel && memory && poll_guard.on_fault(address)) return;
  if (lacks_rights(signal, info, context)) {
    if (!monitor.in_kernel && host_guard().is_guarded(address)) note_host_access(address, place_in_program(context));
    if (restore_rights(address)) return;
  }
  if (!monitor.in_kernel) return leave_to_program(signal, info);
  const Fault fault = kind_of_fault(signal, address, context);
  if (memory && is_access_fault(fault)) {
    const SiteId site = site_of_fault(address);
    const std::uint8_t size = site != unknown_site ? size_of_fault(address) : 0;
    const void* const place = place_in_program(context);
    const bool ends_thread = can_end_after(fault, context);
    // The run ends there if it is to end at the first finding.
    if (options().halt_on_error || ends_thread || give_memory(fault, address)) {
      report_access_fault(fault, site, address, size, place);
      if (ends_thread) end_interrupted(context);
      return;
    }
  }
  // A second fault, here, must be handled as if hirace were absent.
  for (const int other : fault_signals) sigaction(other, &program_actions[other], nullptr);
  if (fault == Fault::stack_overflow) {
    std::fprintf(stderr, "hirace: a thread needs more than %zu KiB of stack; HIRACE_STACK_BYTES sets the size\n",
                 this_worker->pool().stack_bytes() / 1024);
  }
  fail_at(fault, memory ? site_of_fault(address) : unknown_site, memory ? address : 0, place_in_program(context));
}

// The command or the user ends a program that takes too long: report where it was.
inline void on_end(int signal, siginfo_t*, void*) {
  if (monitor.in_kernel) {
    // Checks may be several calls deep.
    const void* places[32];
    const std::size_t count = places_in_program(places, sizeof places / sizeof *places);
    const SiteId site = this_worker->last_site();
    for (std::size_t depth = 0; depth < count; ++depth) {
      Record record = fault_record(Fault::interrupted, site, depth);
      record.code_address = code_address(places[depth]);
      recorder().add(record);
    }
    recorder().count_accesses(current_launch.kernel, monitor.checked_accesses());
  }
  sigaction(signal, &program_actions[signal], nullptr);
  raise(signal);
}

// A program that handles or ignores the signals that end it keeps its own action.
inline void install_end_handlers() {
  struct sigaction action {};
  action.sa_sigaction = &on_end;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK;
  sigemptyset(&action.sa_mask);
  for (const int signal : end_signals) {
    struct sigaction& program = program_actions[signal];
    sigaction(signal, nullptr, &program);
    const bool handled = (program.sa_flags & SA_SIGINFO) != 0 || program.sa_handler != SIG_DFL;
    if (!handled) sigaction(signal, &action, nullptr);
  }
}

inline void survive_forks() {
  static const auto unlock = [] {
    host_guard().after_fork();
    device_heap().after_fork();
    stream_order().after_fork();
  };
  const auto before = [] {
    launches_and_calls.lock();
    stream_order().before_fork();
    device_heap().before_fork();
    host_guard().before_fork();
  };
  const auto in_parent = [] {
    unlock();
    launches_and_calls.unlock();
  };
  const auto in_child = [] {
    unlock();
    // Its owner was the thread of the parent.
    new (&launches_and_calls) std::recursive_mutex;
  };
  pthread_atfork(before, in_parent, in_child);
}

// Installs the handlers, or installs them again: a program may have its own handlers, set at any time,
// and a signal that was for the program has removed those of hirace.
inline void ensure_fault_handlers() {
  static std::atomic_flag busy = ATOMIC_FLAG_INIT;
  static bool installed = false;
  while (busy.test_and_set(std::memory_order_acquire)) sched_yield();
  struct sigaction ours {};
  ours.sa_sigaction = &on_fault;
  ours.sa_flags = SA_SIGINFO | SA_ONSTACK;
  sigemptyset(&ours.sa_mask);
  for (const int signal : fault_signals) {
    struct sigaction now {};
    sigaction(signal, nullptr, &now);
    if ((now.sa_flags & SA_SIGINFO) != 0 && now.sa_sigaction == &on_fault) continue;
    installations.fetch_add(1);
    program_actions[signal] = now;
    if (!installed) first_actions[signal] = now;
    sigaction(signal, &ours, nullptr);
  }
  if (!installed) {
    install_end_handlers();
    survive_forks();
  }
  installed = true;
  busy.clear(std::memory_order_release);
}

}  // namespace hirace::cpu
