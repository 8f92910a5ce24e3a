// What the atomic operations of a program are used for, as far as its sites tell.
#pragma once

#include <cstddef>
#include <set>
#include <string>
#include <utility>

#include "../../records/site_table.h"

namespace hirace::cpu {

// Whether a program accesses a variable both by atomic operations and otherwise: within one function, by the names
// of variables.
//
// An atomic operation observes those before it, so they come before what its thread does next: the
// last block to count itself may reset the counter without an atomic operation. Only the order
// engine follows that.
inline bool mixes_atomic_and_plain_accesses() {
  std::set<std::pair<std::string, std::string>> atomic, plain;
  SiteTable::instance().each([&](const Site& site) {
    const bool is_plain = site.kind == SiteKind::read || site.kind == SiteKind::write || site.kind == SiteKind::update;
    if (*site.variable == '\0' || (!is_plain && site.kind != SiteKind::atomic)) return;
    (is_plain ? plain : atomic).emplace(site.function, site.variable);
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
