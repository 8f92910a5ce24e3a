// Where in the program's code a signal has interrupted it.
#pragma once

#include <signal.h>
#include <ucontext.h>
#include <unwind.h>

#include <cstddef>

#include "check/fault_record.h"

namespace hirace::cpu {

// The instruction that a signal interrupted.
inline const void* interrupted_instruction(void* context) {
#if defined(__x86_64__) && defined(__linux__)
  return reinterpret_cast<const void*>(static_cast<ucontext_t*>(context)->uc_mcontext.gregs[REG_RIP]);
#elif defined(__aarch64__) && defined(__linux__)
  return reinterpret_cast<const void*>(static_cast<ucontext_t*>(context)->uc_mcontext.pc);
#else
  static_cast<void>(context);
  return nullptr;
#endif
}

// Its stack pointer; 0 if it is not known.
inline std::uintptr_t interrupted_stack_pointer(void* context) {
#if defined(__x86_64__) && defined(__linux__)
  return static_cast<std::uintptr_t>(static_cast<ucontext_t*>(context)->uc_mcontext.gregs[REG_RSP]);
#elif defined(__aarch64__) && defined(__linux__)
  return static_cast<std::uintptr_t>(static_cast<ucontext_t*>(context)->uc_mcontext.sp);
#else
  static_cast<void>(context);
  return 0;
#endif
}

// The program's own code addresses on the stack below a signal handler, innermost first: the fault
// may be in a library that it called. Returns their number.
inline std::size_t places_in_program(const void** places, std::size_t capacity) {
  struct Search {
    const void** places;
    std::size_t capacity, found;
    bool left_program;  // at the handler
  } search{places, capacity, 0, false};
  _Unwind_Backtrace(
      [](_Unwind_Context* frame, void* data) -> _Unwind_Reason_Code {
        auto& state = *static_cast<Search*>(data);
        // A return address is after its call.
        const auto* const at = reinterpret_cast<const char*>(_Unwind_GetIP(frame)) - 1;
        const bool own = in_program(at);
        if (own && state.left_program) state.places[state.found++] = at;
        state.left_program = state.left_program || !own;
        return state.found < state.capacity ? _URC_NO_REASON : _URC_END_OF_STACK;
      },
      &search);
  return search.found;
}

inline const void* place_in_program(void* context) {
  const void* place = interrupted_instruction(context);
  if (!in_program(place) && places_in_program(&place, 1) == 0) place = nullptr;
  return place;
}

}  // namespace hirace::cpu
