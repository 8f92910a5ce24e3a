// The definitions of constant_bounds.h.
#pragma once

#include "access_fault.h"
#include "constant_bounds.h"

namespace hirace::cpu {

HIRACE_RUNTIME void note_beyond_constant(SiteId site, const ConstantArray& array, std::uintptr_t address, std::size_t size) {
  if (!monitor.in_kernel || monitor.unchecked) return;
  report_access_fault(Fault::out_of_bounds, site, address, saturated(size), nullptr, [&](Whereabouts& where) {
    describe_variable(where, array.key, array.bytes, address - array.begin, array.shape);
  });
}

}  // namespace hirace::cpu
