// What the atomic operations of a program are used for, as far as its sites tell.
#pragma once

#include <cstdint>
#include <set>
#include <sstream>
#include <string>
#include <utility>

#include "../../records/site_table.h"

namespace hirace::cpu {

// A function and a variable, by their names.
using VariableOfFunction = std::pair<std::string, std::string>;

// The shared variables of a file's kernels that are atomic for a time, and accessed otherwise after a barrier.
inline std::set<VariableOfFunction> atomic_for_a_time(const SiteFile& file) {
  std::set<VariableOfFunction> found;
  std::istringstream lines(file.kernels);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string reach, kernel;
    words >> reach >> kernel;
    for (std::string variable; words >> variable;) found.emplace(kernel, variable);
  }
  return found;
}

// Whether a program accesses a variable both by atomic operations and otherwise: within one function, by the names
// of variables.
//
// An atomic operation observes those before it, so they come before what its thread does next: the
// last block to count itself may reset the counter without an atomic operation. Only the order
// engine follows that. It need not where a barrier is between the two, unless it is to name all pairs of accesses that
// race (`all_pairs`).
inline bool mixes_atomic_and_plain_accesses(bool all_pairs) {
  std::set<VariableOfFunction> atomic, plain;
  SiteTable::instance().each_file([&](const SiteFile& file) {
    const std::set<VariableOfFunction> separated = all_pairs ? std::set<VariableOfFunction>() : atomic_for_a_time(file);
    for (std::uint32_t number = 0; number < file.count; ++number) {
      const Site& site = file.sites[number];
      const bool is_plain = site.kind == SiteKind::read || site.kind == SiteKind::write || site.kind == SiteKind::update;
      if (*site.variable == '\0' || (!is_plain && site.kind != SiteKind::atomic)) continue;
      const VariableOfFunction variable(site.function, site.variable);
      if (separated.count(variable) == 0) (is_plain ? plain : atomic).insert(variable);
    }
  });
  for (const auto& variable : atomic) {
    if (plain.count(variable) != 0) return true;
  }
  return false;
}

// Whether a program uses the value of an atomic operation for more than an index.
inline bool program_uses_atomic_values() {
  bool uses = false;
  SiteTable::instance().each([&](const Site& site) { uses |= site.kind == SiteKind::atomic && site.result == ResultUse::used; });
  return uses;
}

}  // namespace hirace::cpu
