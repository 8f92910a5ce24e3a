// The data about a kernel launch that are known before its first thread runs.
#pragma once

#include "site.h"

// A kernel's name that a macro of the program puts together.
#define HIRACE_TEXT(name) #name

namespace hirace {

// The memory spaces that a launch monitors, as bits.
enum Spaces : std::uint32_t { monitor_none = 0, monitor_shared = 1, monitor_global = 2, monitor_both = 3 };

// Written by the instrumenter at each launch, from the configuration.
struct LaunchInfo {
  const char* kernel;
  SiteId site;
  bool monitor;
  std::uint32_t spaces;
  std::uint32_t first_block;  // blocks outside [first_block, last_block] run unchecked
  std::uint32_t last_block;
  const void* code = nullptr;  // of a launch in the text of a macro: an instruction where the macro is used
};

}  // namespace hirace
