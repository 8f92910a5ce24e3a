// The race records of this process (record.h): in a file shared with the command or, without the
// command, in memory that is printed at exit.
#pragma once

#include <chrono>
#include <cstring>
#include <mutex>

#include "../../records/record_file.h"
#include "../../records/record_text.h"
#include "../environment.h"
#include "resident_memory.h"

namespace hirace::cpu {

class Recorder {
 public:
  Recorder() {
    header_->seed = environment_number("HIRACE_SEED", 0);
    options();  // reports a mistake in them before the program starts
  }

  // Normal end of the process, from a destructor: the records are complete.
  ~Recorder() {
    header_->finished = 1;
    header_->peak_bytes = peak_resident_bytes();
    if (print_if_alone() && options().exit_code != 0) {
      std::fflush(nullptr);
      std::_Exit(options().exit_code);
    }
  }

  // Prints the records if there is no command to show them. Returns whether there were findings.
  bool print_if_alone() const { return !file_.shared && print_report(*header_, kernels_, records_); }

  // The options end the process at this finding.
  void halted() { header_->halted = 1; }

  // The number of a kernel in the table, by name; kernels that do not fit share the last entry.
  std::uint32_t kernel(const char* name) {
    const std::lock_guard lock(kernels_mutex_);
    for (std::uint32_t i = 0; i < header_->kernels; ++i) {
      if (std::strncmp(kernels_[i].name, name, sizeof kernels_[i].name - 1) == 0) return i;
    }
    return name_kernel(file_, name);
  }

  // `monitored`: by the configuration; `taken`: into the sample.
  void count_launch(std::uint32_t kernel, bool monitored, bool taken, std::uint64_t blocks) {
    constexpr std::uint64_t one = 1;
    add(header_->launches, one);
    add(kernels_[kernel].launches, one);
    add(kernels_[kernel].blocks, blocks);
    if (monitored && !taken) add(kernels_[kernel].unsampled_launches, one);
    if (monitored) return;
    add(header_->unmonitored_launches, one);
    add(kernels_[kernel].unmonitored_launches, std::uint32_t{1});
  }
  void count_blocks(std::uint32_t kernel, std::uint64_t checked) { add(kernels_[kernel].checked_blocks, checked); }

  void count_time(std::chrono::steady_clock::duration time) {
    const auto nanoseconds = std::chrono::duration_cast<std::chrono::nanoseconds>(time).count();
    add(header_->launch_nanoseconds, static_cast<std::uint64_t>(nanoseconds));
  }

  void count_accesses(std::uint32_t kernel, std::uint64_t accesses) {
    add(header_->accesses, accesses);
    add(kernels_[kernel].accesses, accesses);
  }

  void count_call() { add(header_->calls, std::uint64_t{1}); }

  void count_outside(std::uint64_t accesses) { add(header_->outside, accesses); }

  void limit(std::uint32_t kernel, std::uint32_t limits) {
    set_bits(header_->limits, limits);
    set_bits(kernels_[kernel].limits, limits);
  }

  // A clock of `bits` bits has overflowed.
  void block_clock_limit(std::uint32_t kernel, unsigned bits) {
    limit(kernel, block_clock_overflow);
    set_least(kernels_[kernel].block_clock_bits, bits);
  }
  void warp_clock_limit(std::uint32_t kernel, unsigned bits) {
    limit(kernel, warp_clock_overflow);
    set_least(kernels_[kernel].warp_clock_bits, bits);
  }

  void note_limit(std::uint32_t limits) { set_bits(header_->limits, limits); }

  void not_modelled(std::uint32_t kernel, std::uint32_t constructs) {
    set_bits(kernels_[kernel].not_modelled, constructs);
  }

  void workers(std::uint32_t count) { header_->workers = count; }

  // Adds a record, or counts another occurrence of an existing one. Returns where it is; null if there
  // was no room.
  Record* add(const Record& record) {
    return add(record, [](Whereabouts&) {});
  }
  // `describe` says where it was, if it is new.
  template <class Describe>
  Record* add(const Record& record, const Describe& describe) {
    return add(record, describe, [] { return std::uint64_t{0}; });
  }
  // `origin` is a number for the memory and the kernel's instance: some others are described, too.
  template <class Describe, class Origin>
  Record* add(const Record& record, const Describe& describe, const Origin& origin) {
    const std::uint32_t capacity = header_->record_capacity;
    const std::uint32_t start = race_hash(record) % capacity;
    for (std::uint32_t probe = 0; probe < capacity; ++probe) {
      const std::uint32_t index = (start + probe) % capacity;
      Record& slot = records_[index];
      std::uint32_t ready = __atomic_load_n(&slot.ready, __ATOMIC_ACQUIRE);
      if (ready == record_free &&
          __atomic_compare_exchange_n(&slot.ready, &ready, record_being_written, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) {
        Record entry = record;
        entry.ready = record_being_written;
        entry.count = 1;
        slot = entry;
        describe(file_.whereabouts[index]);
        file_.whereabouts[index].origin = origin();
        file_.whereabouts[index].process = file_.process;
        note_process(index);
        __atomic_store_n(&slot.ready, record_complete, __ATOMIC_RELEASE);
        add(header_->records, std::uint32_t{1});
        note_spread(index, record);
        return &slot;
      }
      while (ready == record_being_written) ready = __atomic_load_n(&slot.ready, __ATOMIC_ACQUIRE);
      if (same_race(slot, record)) {
        add(slot.count, std::uint64_t{1});
        set_bits(slot.facts, record.facts);
        note_spread(index, record);
        note_process(index);
        note_elsewhere(file_.whereabouts[index], describe, origin);
        return &slot;
      }
    }
    add(header_->dropped, std::uint64_t{1});
    return nullptr;
  }

  // Another location of a race that is in `slot`.
  void note_location(const Record* slot, const Record& record) {
    if (slot != nullptr) note_spread(static_cast<std::uint32_t>(slot - records_), record);
  }

  // Adds to what is known of a record.
  void note_facts(Record& slot, std::uint32_t facts) { set_bits(slot.facts, facts); }

 private:
  // Describes another occurrence of a race, unless its origin is known or there is no room.
  template <class Describe, class Origin>
  static void note_elsewhere(Whereabouts& known, const Describe& describe, const Origin& origin) {
    constexpr std::size_t most = sizeof known.elsewhere / sizeof *known.elsewhere;
    if (known.origin == 0 || __atomic_load_n(&known.elsewhere[most - 1].origin, __ATOMIC_RELAXED) != 0) return;
    const std::uint64_t wanted = origin();
    if (wanted == known.origin) return;
    for (Elsewhere& other : known.elsewhere) {
      std::uint64_t found = __atomic_load_n(&other.origin, __ATOMIC_RELAXED);
      if (found == 0 && __atomic_compare_exchange_n(&other.origin, &found, wanted, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
        Whereabouts where{};
        describe(where);
        other.allocated_by = where.allocated_by;
        other.parameter = where.parameter;
        other.object_bytes = where.object_bytes;
        other.launch_code = where.launch_code;
        other.launch = where.launch;
        other.launch_site = where.launch_site;
        std::memcpy(other.calls, where.calls, sizeof other.calls);
        return;
      }
      if (found == wanted) return;
    }
  }

  void note_process(std::uint32_t index) {
    if (file_.process == 0) return;
    const std::uint32_t bit = file_.process < 64 ? file_.process - 1 : 63;
    set_bits(file_.whereabouts[index].processes, std::uint64_t{1} << bit);
  }

  // The table consists of plain structs in shared memory; std::atomic_ref is C++20.
  template <class T>
  static void add(T& counter, T value) {
    __atomic_fetch_add(&counter, value, __ATOMIC_RELAXED);
  }
  template <class T>
  static void set_bits(T& bits, T more) { __atomic_fetch_or(&bits, more, __ATOMIC_RELAXED); }

  // Other threads and processes call these concurrently.
  struct Atomics {
    static void set(std::uint32_t& bits, std::uint32_t bit) {
      if ((__atomic_load_n(&bits, __ATOMIC_RELAXED) & bit) == 0) set_bits(bits, bit);
    }
    static void raise(std::uint64_t& number, std::uint64_t least) {
      std::uint64_t known = __atomic_load_n(&number, __ATOMIC_RELAXED);
      while (known < least && !__atomic_compare_exchange_n(&number, &known, least, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
      }
    }
  };

  void note_spread(std::uint32_t index, const Record& record) {
    hirace::note_spread<Atomics>(file_.spreads[index], record);
  }

  // Concurrent callers run the same launch and set the same value.
  static void set_least(std::uint8_t& known, unsigned bits) {
    const unsigned before = __atomic_load_n(&known, __ATOMIC_RELAXED);
    if (before == 0 || bits < before) __atomic_store_n(&known, static_cast<std::uint8_t>(bits), __ATOMIC_RELAXED);
  }

  const RecordFile file_ = map_records(Backend::cpu);
  RecordHeader* const header_ = file_.header;
  KernelEntry* const kernels_ = file_.kernels;
  Record* const records_ = file_.records;
  std::mutex kernels_mutex_;
};

// Constructed before main(), so that the command knows that the program started.
inline Recorder global_recorder;
inline Recorder& recorder() { return global_recorder; }

}  // namespace hirace::cpu
