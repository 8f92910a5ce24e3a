// Several programs in one executable, each in its own namespace (`crates/check/src/batch.rs`);
// HIRACE_MEMBER names the one that runs.
#pragma once

#include "environment.h"

namespace hirace::cpu {

// A program's main with whatever parameters it has.
template <class Argument>
int run_main(int (*main)(int, Argument), int count, char** values, char**) {
  return main(count, const_cast<Argument>(values));
}
template <class Argument, class Variable>
int run_main(int (*main)(int, Argument, Variable), int count, char** values, char** environment) {
  return main(count, const_cast<Argument>(values), const_cast<Variable>(environment));
}
inline int run_main(int (*main)(), int, char**, char**) { return main(); }

using RunMember = int (*)(int, char**, char**);

// Runs the chosen one of `count` members; null marks a program that is not included.
inline int run_member(const RunMember* members, std::uint32_t count, int argument_count, char** arguments, char** environment) {
  const std::uint32_t number = environment_number("HIRACE_MEMBER", count);
  if (number < count && members[number] != nullptr) return members[number](argument_count, arguments, environment);
  std::fprintf(stderr, "hirace: HIRACE_MEMBER must be the number of one of the %u programs in this executable\n", count);
  return 2;
}

}  // namespace hirace::cpu
