// Which values that pass from one thread to another are flags, as far as the source shows.
#pragma once

#include "../../records/site_table.h"
#include "threads.h"

namespace hirace::cpu::order {

struct Cause {
  RaceCause what = RaceCause::none;
  std::uint32_t flag_written = 0, flag_read = 0;  // sites
  std::uint32_t facts = 0;                        // race facts of generated/wire.h
};

inline ResultUse use_of(const Exchange& exchange) {
  const Site* const site = SiteTable::instance().find(exchange.read);
  return site == nullptr ? ResultUse::used : site->result;
}
// A value that its reader does not use is not what was meant to order two accesses. Nor is one that is only used as an
// index, unless its writer published something with it.
inline bool is_flag(const Exchange& exchange) {
  const ResultUse use = use_of(exchange);
  return use == ResultUse::used || (use == ResultUse::index && exchange.releases());
}

// Whether a cause is a store by another thread than that of the first access, which does not release it.
inline bool is_store_of_other(const Cause& cause) {
  if (cause.what != RaceCause::not_released || (cause.facts & flag_written_by_other) == 0) return false;
  const Site* const site = SiteTable::instance().find(cause.flag_written);
  return site != nullptr && site->kind == SiteKind::write;
}

}  // namespace hirace::cpu::order
