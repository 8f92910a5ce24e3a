// Faults of accesses after which the run continues: out of bounds, to freed memory, to an illegal address.
//
// Memory that a poisoned word describes belongs to no allocation, so an access to it changes nothing that the
// program may use: it is recorded and then made, and reads find zeros. A page without memory gets some first
// (memory/stray_pages.h). If an address is outside of device memory, the thread ends (faults.h).
#pragma once

#include <atomic>
#include <cstring>

#include "../memory/stray_pages.h"
#include "whereabouts.h"

namespace hirace::cpu {

// Faults at more places than this one after another end the run: they are hardly independent. So do so many of them,
// of a loop that may wait for what it will never read.
constexpr unsigned max_fault_places = 64;
constexpr std::uint64_t max_faults = std::uint64_t{1} << 22;

// Records a fault, at a site or an instruction; `describe` adds what the access was perhaps meant for.
template <class Describe>
void report_access_fault(Fault fault, SiteId site, std::uintptr_t address, std::uint8_t size, const void* instruction,
                         const Describe& describe) {
  static std::atomic<unsigned> places{0};
  static std::atomic<std::uint64_t> faults{0};
  Record record = fault_record(fault, site, address);
  if (instruction != nullptr) record.code_address = code_address(instruction);
  record.current_size = size;
  if (in_shared_memory(address)) record.space = Space::shared;
  Record* const slot = recorder().add(record, [&](Whereabouts& where) {
    describe_running_thread(where);
    describe(where);
  });
  const bool is_new = slot == nullptr || slot->count == 1;
  const bool too_many = faults.fetch_add(1, std::memory_order_relaxed) + 1 >= max_faults;
  if (too_many || (is_new && places.fetch_add(1) + 1 >= max_fault_places)) {
    if (slot != nullptr) slot->ended = 1;
    end_process(status_of_findings(1));
  }
  halt_if_asked();
}

inline void report_access_fault(Fault fault, SiteId site, std::uintptr_t address, std::uint8_t size, const void* instruction) {
  report_access_fault(fault, site, address, size, instruction, [&](Whereabouts& where) { describe_nearest(where, address); });
}

// Records a read of memory that nothing has written.
inline void report_unwritten_read(SiteId site, std::uintptr_t address, std::size_t size) {
  Record record = fault_record(Fault::uninitialised_read, site, address);
  constexpr std::size_t max_recorded = 255;
  record.current_size = static_cast<std::uint8_t>(size < max_recorded ? size : max_recorded);
  if (in_shared_memory(address)) record.space = Space::shared;
  recorder().add(record, [&](Whereabouts& where) { describe_access(where, address); });
  if (!is_warning(record.fault)) halt_if_asked();
}

// If a granule is poisoned: makes it harmless to access, and records the fault if it is the first of the access.
inline bool note_poisoned(Word word, std::uintptr_t granule, SiteId site, std::uintptr_t address, std::uint8_t size, bool& noted) {
  if (state_of(word) != poison_state) return false;
  const Fault fault = word == poison_word(Poison::freed) ? Fault::use_after_free : Fault::out_of_bounds;
  if (!noted) report_access_fault(fault, site, address, size, nullptr);
  noted = true;
  if (!stray_pages().give_memory(granule)) fail(fault, site, address);
  std::memset(reinterpret_cast<void*>(granule), 0, granule_bytes);
  return true;
}

}  // namespace hirace::cpu
