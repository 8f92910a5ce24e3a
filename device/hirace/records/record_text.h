// A plain text report, for programs that run without the `hirace` command.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "../checker/options.h"
#include "record.h"
#include "site_table.h"

namespace hirace {

inline const char* name_of(AccessKind kind) {
  switch (kind) {
    case AccessKind::read: return "read";
    case AccessKind::write: return "write";
    case AccessKind::block_atomic: return "block-scope atomic";
    case AccessKind::device_atomic: return "atomic";
    case AccessKind::update: return "read-modify-write";
    case AccessKind::volatile_read: return "volatile read";
    case AccessKind::volatile_write: return "volatile write";
  }
  return "access";
}

inline const char* name_of(Fault fault) {
  switch (fault) {
    case Fault::none: return "no fault";
    case Fault::out_of_bounds: return "access out of bounds";
    case Fault::use_after_free: return "access to freed memory";
    case Fault::illegal_address: return "illegal memory access";
    case Fault::barrier_deadlock: return "deadlock";
    case Fault::assertion: return "assertion failed";
    case Fault::trap: return "trap";
    case Fault::stack_overflow: return "stack overflow";
    case Fault::invalid_launch: return "invalid launch";
    case Fault::abort: return "abort";
    case Fault::arithmetic: return "arithmetic fault";
    case Fault::misaligned: return "misaligned access";
    case Fault::uninitialised_read: return "read of unwritten memory";
    case Fault::host_access: return "host access to device memory";
    case Fault::divergent_barrier: return "threads of a block at different barriers";
    case Fault::barrier_after_exit: return "barrier after threads have exited";
    case Fault::mask_without_caller: return "mask without the calling lane";
    case Fault::mask_mismatch: return "lanes of a mask reach different calls";
    case Fault::inactive_shuffle_source: return "shuffle from a lane that does not participate";
    case Fault::livelock: return "livelock";
    case Fault::absent_block: return "shared memory of a block that may not run";
    case Fault::no_mask: return "warp function without a mask";
    case Fault::interrupted: return "interrupted";
    case Fault::waits_for_outside: return "threads wait for the host or another stream";
    case Fault::waits_for_children: return "a kernel waits for those that it has launched";
    case Fault::lanes_in_lockstep: return "lanes of a warp exchange values without __syncwarp()";
    case Fault::plain_grid_barrier: return "grid barrier in a launch that is not cooperative";
  }
  return "fault";
}

// Faults that do not make a run fail. A read of unwritten memory is one unless HIRACE_INIT_CHECK is "on".
inline bool is_warning(Fault fault) {
  if (fault == Fault::lanes_in_lockstep || fault == Fault::barrier_after_exit || fault == Fault::inactive_shuffle_source || fault == Fault::no_mask) return true;
  const char* const init_check = std::getenv("HIRACE_INIT_CHECK");
  return fault == Fault::uninitialised_read && (init_check == nullptr || std::strcmp(init_check, "on") != 0);
}

inline void print_site(std::FILE* out, SiteId site) {
  bool first = true;
  SiteTable::instance().visit(site, [&](const SiteFile& file, const Site& found) {
    std::fprintf(out, "%s%s:%u:%u: %s", first ? "" : " or ", file.path, found.line, found.column, found.text);
    first = false;
  });
  if (first) std::fputs("site not recorded", out);
}

inline void print_end(std::FILE* out, int number, AccessKind kind, SiteId site, bool thread_known, const Coordinates& block,
                      const Coordinates& thread) {
  std::fprintf(out, "  (%d) %s at ", number, name_of(kind));
  print_site(out, site);
  if (thread_known) {
    std::fprintf(out, ", block (%u,%u,%u) thread (%u,%u,%u)", block.x, block.y, block.z, thread.x, thread.y, thread.z);
  }
  std::fputc('\n', out);
}

// `prior_kernel` is the kernel of the prior access, for a race between launches.
inline void print_record(std::FILE* out, const Record& r, std::uint64_t count, const char* kernel, const char* prior_kernel) {
  if (r.type == RecordType::fault) {
    std::fprintf(out, "hirace: %s%s in kernel %s at ", is_warning(r.fault) ? "warning: " : "", name_of(r.fault), kernel);
    print_site(out, r.site_current);
    std::fprintf(out, ", block (%u,%u,%u) thread (%u,%u,%u)\n", r.current_block.x, r.current_block.y, r.current_block.z,
                 r.current_thread.x, r.current_thread.y, r.current_thread.z);
  } else if (r.type == RecordType::not_modelled) {
    std::fputs("hirace: not modelled: ", out);
    print_site(out, r.site_current);
    std::fputc('\n', out);
  } else {
    const char* const what = r.cause == RaceCause::lock_order ? "predicted data race" : "data race";
    std::fprintf(out, "hirace: %s in %s memory, kernel %s, ", what, r.space == Space::shared ? "shared" : "global", kernel);
    if (r.relation == RaceScope::launch) std::fprintf(out, "with a launch of kernel %s, ", prior_kernel);
    std::fprintf(out, "%llu times\n", static_cast<unsigned long long>(count));
    if (r.prior_known == PriorKnown::nothing) {
      std::fputs("  (1) earlier access: site not recorded\n", out);
    } else {
      print_end(out, 1, r.prior_access, r.site_prior, r.prior_known == PriorKnown::site_and_thread, r.prior_block, r.prior_thread);
    }
    print_end(out, 2, r.current_access, r.site_current, true, r.current_block, r.current_thread);
  }
}

// "1 race", "2 races".
struct Counted {
  Counted(unsigned long long number, const char* noun, const char* plural = "s") {
    std::snprintf(text, sizeof text, "%llu %s%s", number, noun, number == 1 ? "" : plural);
  }
  char text[64];
};

// Whether two records have the same two accesses of a race, perhaps in the other order.
inline bool has_same_accesses(const Record& a, const Record& b) {
  if (b.ready != record_complete || b.type != RecordType::race || a.variable != b.variable) return false;
  const bool same = a.site_prior == b.site_prior && a.site_current == b.site_current;
  return same || (a.site_prior == b.site_current && a.site_current == b.site_prior);
}

// Whether a race is printed with an earlier record.
inline bool is_known_race(const Record* records, std::uint32_t index) {
  for (std::uint32_t i = 0; i < index; ++i) {
    if (has_same_accesses(records[index], records[i])) return true;
  }
  return false;
}

// The occurrences of a race in this record and later ones.
inline std::uint64_t all_occurrences(const Record* records, std::uint32_t index, std::uint32_t capacity) {
  std::uint64_t sum = 0;
  for (std::uint32_t i = index; i < capacity; ++i) {
    if (has_same_accesses(records[index], records[i])) sum += records[i].count;
  }
  return sum;
}

// Prints everything that a run without the command prints; returns the number of findings that make the
// run fail.
inline std::uint32_t print_lines(std::FILE* out, const RecordHeader& header, const KernelEntry* kernels, const Record* records,
                                 std::uint64_t print_limit) {
  const auto name_of_kernel = [&](std::uint32_t kernel) { return kernel < header.kernels ? kernels[kernel].name : "?"; };
  std::uint32_t races = 0, faults = 0, findings = 0, warnings = 0;
  for (std::uint32_t i = 0; i < header.record_capacity; ++i) {
    const Record& record = records[i];
    if (record.ready != record_complete) continue;
    if (record.type == RecordType::race && is_known_race(records, i)) continue;
    if (record.type == RecordType::race) ++races;
    if (record.type == RecordType::fault && !is_warning(record.fault)) ++faults;
    if (record.type == RecordType::fault && is_warning(record.fault)) ++warnings;
    if (record.type != RecordType::not_modelled && findings++ >= print_limit && print_limit != 0) continue;
    const bool is_race = record.type == RecordType::race;
    const std::uint64_t count = is_race ? all_occurrences(records, i, header.record_capacity) : record.count;
    print_record(out, record, count, name_of_kernel(record.kernel), name_of_kernel(record.race.prior_kernel));
  }
  if (print_limit != 0 && findings > print_limit) {
    std::fprintf(out, "hirace: %llu more findings are not shown (print_limit)\n", static_cast<unsigned long long>(findings - print_limit));
  }
  std::uint32_t not_modelled = 0;
  for (std::uint32_t i = 0; i < header.kernels; ++i) not_modelled |= kernels[i].not_modelled;
  if (not_modelled != 0) {
    std::fputs("hirace: not modelled: fences or partial warp barriers were executed; races that they may have ordered are only possible races\n", out);
  }
  for (std::uint32_t i = 0; i < header.kernels; ++i) {
    const KernelEntry& kernel = kernels[i];
    if ((kernel.limits & only_sample_checked) == 0) continue;
    const std::uint64_t left_out = kernel.unsampled_launches + kernel.unmonitored_launches;
    std::fprintf(out, "hirace: of kernel %s, %llu of %llu launches and %llu of %llu blocks were checked\n", kernel.name,
                 static_cast<unsigned long long>(kernel.launches - left_out), static_cast<unsigned long long>(kernel.launches),
                 static_cast<unsigned long long>(kernel.checked_blocks), static_cast<unsigned long long>(kernel.blocks));
  }
  if ((header.limits & read_only_written) != 0) {
    std::fputs("hirace: a kernel wrote to memory that it seemed only to read, and races of such writes with reads before them were not "
               "looked for; with `read-only-memory = false` under [skip] in hirace.toml, the next build does\n", out);
  }
  if (const std::uint32_t others = header.limits & ~std::uint32_t{read_only_written}; others != 0) {
    std::fprintf(out, "hirace: parts of the run were not checked (limits reached: 0x%x)\n", others);
  }
  if (header.dropped != 0) {
    std::fprintf(out, "hirace: %llu occurrences of further races were dropped: the record table is full\n",
                 static_cast<unsigned long long>(header.dropped));
  }
  if (header.accesses == 0) {
    std::fputs("hirace: nothing was monitored\n", out);
  } else {
    std::fprintf(out, "hirace: %s", Counted(races, "race").text);
    if (faults != 0) std::fprintf(out, ", %s", Counted(faults, "fault").text);
    if (warnings != 0) std::fprintf(out, ", %s", Counted(warnings, "warning").text);
    std::fprintf(out, "; %s, %s checked\n", Counted(header.launches, "launch", "es").text,
                 Counted(header.accesses, "access", "es").text);
  }
  return findings - warnings;
}

// Prints the same to the log that the options name; returns whether findings make the run fail.
inline bool print_report(const RecordHeader& header, const KernelEntry* kernels, const Record* records) {
  std::FILE* const log = open_log();
  const std::uint32_t failing = print_lines(log, header, kernels, records, options().print_limit);
  if (log != stderr) std::fclose(log);
  return failing != 0;
}

}  // namespace hirace
