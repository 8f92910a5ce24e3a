// assert() with the text that its author wrote: the condition of the instrumented one contains hooks.
//
// It is used in programs whose files do not mention NDEBUG, so that the compiler's command line says whether
// assertions do anything.
#pragma once

#include <cassert>

#ifdef NDEBUG
#define HIRACE_ASSERT(written, condition) static_cast<void>(0)
#else
#define HIRACE_ASSERT(written, condition) \
  (static_cast<bool>(condition) ? static_cast<void>(0) : __assert_fail(#written, __FILE__, __LINE__, __PRETTY_FUNCTION__))
#endif
