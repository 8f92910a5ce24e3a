// The gaps between device variables: they belong to none, so an access there is out of bounds of one.
//
// Each declaration of variables is followed by some unused bytes for each of them (HIRACE_NAME_VARIABLE).
#pragma once

#include <cstring>

#include "../memory/device_heap.h"
#include "../memory/device_variables.h"
#include "access_fault.h"

namespace hirace::cpu {

// Before a launch: variables of other files may have been added since the last one.
inline void poison_section_gaps() {
  if (!device_variables().take_new()) return;
  device_heap().with_lock([] {
    shadow_memory().unpoison_section();
    const auto begin = reinterpret_cast<std::uintptr_t>(device_section_begin());
    const auto end = reinterpret_cast<std::uintptr_t>(device_section_end());
    device_variables().each_gap(begin, end, [](std::uintptr_t from, std::uintptr_t to) { shadow_memory().poison_in_section(from, to); });
  });
}

// If an access outside of the window touches a gap: records the fault. What is written there is lost, and reads
// find zeros. `first` is its first granule.
inline bool note_gap(const Monitor& m, Granule first, std::uintptr_t address, std::size_t size, SiteId site) {
  const std::size_t granules = (address % granule_bytes + size + granule_bytes - 1) / granule_bytes;
  bool found = false;
  for (std::size_t i = 0; i < granules; ++i) {
    if (state_of(m.words[first + i]) != poison_state) continue;
    if (!found) report_access_fault(Fault::out_of_bounds, site, address, saturated(size), nullptr);
    found = true;
    std::memset(reinterpret_cast<void*>(address / granule_bytes * granule_bytes + i * granule_bytes), 0, granule_bytes);
  }
  return found;
}

}  // namespace hirace::cpu
