// The definitions of repair_trial.h.
#pragma once

#include <cstdio>
#include <cstdlib>

#include "environment.h"
#include "repair_trial.h"

namespace hirace::cpu::trial {

constexpr unsigned max_edits = 1024;

struct Choice {
  bool chosen[max_edits] = {};

  Choice() {
    const char* text = environment_text("HIRACE_TRIAL");
    while (text != nullptr && *text != '\0') {
      char* end = nullptr;
      const unsigned long edit = std::strtoul(text, &end, 10);
      if (end == text || edit >= max_edits) {
        std::fprintf(stderr, "hirace: failed to read HIRACE_TRIAL: \"%s\" is not a list of edits\n", text);
        std::exit(2);
      }
      chosen[edit] = true;
      text = *end == ',' ? end + 1 : end;
    }
  }
};

inline const Choice choice;

HIRACE_RUNTIME bool chosen(unsigned edit) { return choice.chosen[edit]; }

}  // namespace hirace::cpu::trial
