// Race records: how a program reports its races.
//
// The records are in one fixed-size block of memory that the `hirace` command creates as a file and
// the program maps shared, so they survive however the program ends. generated/wire.h has the
// layout: a header, the kernels, the records, a Spread (spread.h) and the Whereabouts for each record, and
// the tables of sites (table_file.h). The records are a hash table, in which a repeated race finds its record
// and increments the count.
#pragma once

#include "../checker/spread.h"
#include "../generated/wire.h"
#include "../hooks/site.h"

namespace hirace {

// Two records with the same key describe the same race.
HIRACE_FUNCTION bool same_race(const Record& a, const Record& b) {
  return a.type == b.type && a.space == b.space && a.relation == b.relation && a.kernel == b.kernel &&
         a.site_prior == b.site_prior && a.site_current == b.site_current && a.prior_access == b.prior_access &&
         a.current_access == b.current_access && a.fault == b.fault && a.not_modelled == b.not_modelled &&
         a.cause == b.cause && a.variable == b.variable && a.flag_written == b.flag_written && a.flag_read == b.flag_read &&
         (a.type == RecordType::race ? a.race.prior_kernel == b.race.prior_kernel && a.code_current == b.code_current
                                     : a.code_address == b.code_address);
}

HIRACE_FUNCTION std::uint32_t race_hash(const Record& r) {
  std::uint64_t h = (std::uint64_t{r.site_prior} << 32) ^ r.site_current;
  h ^= (std::uint64_t{r.kernel} << 20) ^ (static_cast<std::uint64_t>(r.relation) << 8) ^
       (static_cast<std::uint64_t>(r.prior_access) << 4) ^ static_cast<std::uint64_t>(r.current_access) ^
       (static_cast<std::uint64_t>(r.type) << 16);
  if (r.type == RecordType::race) h ^= (r.code_current << 24) ^ (r.variable << 7);
  // The finaliser of splitmix64: every input bit reaches the low bits.
  h = (h ^ (h >> 30)) * 0xbf58476d1ce4e5b9ull;
  h = (h ^ (h >> 27)) * 0x94d049bb133111ebull;
  return static_cast<std::uint32_t>(h ^ (h >> 31));
}

// Notes where a race was seen, and in which blocks, if they are known.
template <class Atomics>
HIRACE_DEVICE_HOOK void note_spread(Spread& spread, const Record& race) {
  if (race.type != RecordType::race) return;
  const auto include = [&](const Coordinates& block) {
    const std::uint64_t row = block.y + std::uint64_t{race.grid_dim.y} * block.z;
    note_block<Atomics>(spread, block.x + race.grid_dim.x * row);
  };
  note_place<Atomics>(spread, race.address);
  const unsigned blocks = race.prior_known == PriorKnown::site_and_thread ? 2 : 1;
  // A loop, so that `include` is once in the code of a GPU.
  for (unsigned i = 0; i < blocks; ++i) include(i == 0 ? race.current_block : race.prior_block);
}

}  // namespace hirace
