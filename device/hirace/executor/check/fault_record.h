// Records of faults, and the end of the process after one.
#pragma once

#include <sys/auxv.h>
#include <unistd.h>

#include <cstdio>

#include "../scheduler/call_path.h"
#include "monitor.h"

namespace hirace::cpu {

constexpr std::uint32_t no_kernel = ~std::uint32_t{0};

// The dimensions of the running launch; for the host, one thread.
inline void set_launch(Record& record) {
  record.block_dim = block_dimensions();
  record.warp_size = warp_lanes;
  record.grid_dim = dimensions_of_grid(grid_dimensions());
}

// Whether code belongs to the program and not to a library.
inline bool in_program(const void* instruction) {
  const auto begin = reinterpret_cast<std::uintptr_t>(__ehdr_start);
  return reinterpret_cast<std::uintptr_t>(instruction) - begin < reinterpret_cast<std::uintptr_t>(_end) - begin;
}

// An instruction's address within the executable's file; 0 if it is in a library.
inline std::uint64_t code_address(const void* instruction) {
  const auto begin = reinterpret_cast<std::uintptr_t>(__ehdr_start);
  // This code may be in a library; the executable's program headers are in its first page.
  if (!in_program(instruction) || getauxval(AT_PHDR) - begin >= page_bytes) return 0;
  // ELF, e_type: the file addresses of a position-independent executable start at 0.
  constexpr std::size_t type_offset = 16;
  constexpr std::uint16_t anywhere = 3;
  const bool moved = *reinterpret_cast<const std::uint16_t*>(begin + type_offset) == anywhere;
  return reinterpret_cast<std::uintptr_t>(instruction) - (moved ? begin : 0);
}

inline void describe_running_launch(Whereabouts& where) {
  where.launch = static_cast<std::uint32_t>(current_launch.serial);
  where.launch_site = current_launch.info.site;
  if (current_launch.info.code != nullptr) where.launch_code = code_address(current_launch.info.code);
}

// The same, and the calls by which the running thread has come here.
inline void describe_running_thread(Whereabouts& where) {
  describe_running_launch(where);
  if (!monitor.in_kernel) return;
  constexpr std::size_t most = sizeof where.calls / sizeof *where.calls;
  const void* calls[most];
  const std::size_t count = callers(calls, most);
  // Below a signal handler is a function of the C library.
  std::size_t kept = 0;
  for (std::size_t i = 0; i < count; ++i) {
    if (in_program(calls[i])) where.calls[kept++] = code_address(calls[i]);
  }
}

// Adds a fault that the running thread need not have made.
inline Record* add_fault(const Record& record) { return recorder().add(record, describe_running_launch); }

// A fault of the running thread, or of the host.
inline Record fault_record(Fault fault, SiteId site, std::uintptr_t address) {
  Record record{};
  record.type = RecordType::fault;
  record.kernel = current_launch.kernel;
  record.site_current = site;
  record.fault = fault;
  record.address = address;
  record.current_block = current_block();
  record.current_thread = current_thread();
  set_launch(record);
  return record;
}

// Ends the process after a finding was recorded. The command shows it with its source; a program on
// its own prints its findings.
[[noreturn]] inline void end_process(int status) {
  if (monitor.in_kernel) {
    recorder().count_accesses(current_launch.kernel, monitor.checked_accesses());
    recorder().count_blocks(current_launch.kernel, monitor.checked_blocks);
  }
  std::fflush(stdout);
  recorder().print_if_alone();
  _exit(status);
}

// Called after a definite finding: the options may end the run at the first one.
inline void halt_if_asked() {
  if (!options().halt_on_error) return;
  recorder().halted();
  end_process(status_of_findings(1));
}

HIRACE_COLD HIRACE_RUNTIME void settle_write() {
  if (awaited_write.settle()) halt_if_asked();
}

// A fault after which the program can continue. `other` is a second site that belongs to it.
HIRACE_RUNTIME void report_fault(Fault fault, SiteId site, std::uintptr_t address, SiteId other) {
  Record record = fault_record(fault, site, address);
  record.site_prior = other;
  record.prior_known = other != unknown_site ? PriorKnown::site : PriorKnown::nothing;
  recorder().add(record, describe_running_thread);
  if (!is_warning(fault)) halt_if_asked();
}

// Ends the process with the status of a finding: anything after a fault is meaningless.
template <class Describe = void (*)(Whereabouts&)>
[[noreturn]] void end_with(Record& record, const Describe& describe = describe_running_launch) {
  record.ended = 1;
  // The same may have been found before, and then the run went on.
  if (Record* const known = recorder().add(record, describe)) known->ended = 1;
  const bool finding = record.fault != Fault::invalid_launch && record.fault != Fault::waits_for_outside && record.fault != Fault::waits_for_children;
  end_process(finding ? status_of_findings(1) : 2);
}

[[noreturn]] HIRACE_RUNTIME void fail(Fault fault, SiteId site, std::uintptr_t address) {
  Record record = fault_record(fault, site, address);
  end_with(record, describe_running_thread);
}

// The same at an instruction, whose line the report looks up.
[[noreturn]] HIRACE_RUNTIME void fail_at(Fault fault, SiteId site, std::uintptr_t address, const void* instruction) {
  Record record = fault_record(fault, site, address);
  record.code_address = code_address(instruction);
  end_with(record, describe_running_thread);
}

}  // namespace hirace::cpu
