// The race records of this process (record.h), in the file that the command
// shares with us or, without it, in memory that is printed at exit.
#pragma once

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstring>
#include <mutex>

#include "../record_text.h"
#include "environment.h"

namespace hirace::cpu {

class Recorder {
 public:
  Recorder() {
    map();
    header_->seed = environment_number("HIRACE_SEED", 0);
    std::memcpy(header_->magic, record_magic, sizeof record_magic);
  }

  // Normal end of the process, from a destructor: what was recorded is complete.
  ~Recorder() {
    header_->finished = 1;
    print_if_alone();
  }

  // Without the command nobody else shows the records.
  void print_if_alone() const {
    if (!shared_) print_report(stderr, *header_, kernels_, records_);
  }

  // The number of a kernel in the table, by name; kernels that no longer fit
  // share the last entry.
  std::uint32_t kernel(const char* name) {
    const std::lock_guard lock(kernels_mutex_);
    for (std::uint32_t i = 0; i < header_->kernels; ++i) {
      if (std::strncmp(kernels_[i].name, name, sizeof kernels_[i].name - 1) == 0) return i;
    }
    if (header_->kernels == header_->kernel_capacity) return header_->kernel_capacity - 1;
    std::strncpy(kernels_[header_->kernels].name, name, sizeof kernels_[0].name - 1);
    return header_->kernels++;
  }

  void count_launch(std::uint32_t kernel, bool monitored) {
    constexpr std::uint64_t one = 1;
    add(header_->launches, one);
    add(kernels_[kernel].launches, one);
    if (!monitored) add(header_->unmonitored_launches, one);
  }

  void count_accesses(std::uint32_t kernel, std::uint64_t accesses) {
    add(header_->accesses, accesses);
    add(kernels_[kernel].accesses, accesses);
  }

  void limit(std::uint32_t kernel, std::uint32_t limits) {
    set_bits(header_->limits, limits);
    set_bits(kernels_[kernel].limits, limits);
  }

  void not_modelled(std::uint32_t kernel, std::uint32_t constructs) {
    set_bits(kernels_[kernel].not_modelled, constructs);
  }

  void workers(std::uint32_t count) { header_->workers = count; }

  // Adds a record, or counts it where the same is there already.
  void add(const Record& record) {
    const std::uint32_t capacity = header_->record_capacity;
    const std::uint32_t start = race_hash(record) % capacity;
    for (std::uint32_t probe = 0; probe < capacity; ++probe) {
      Record& slot = records_[(start + probe) % capacity];
      std::uint32_t ready = __atomic_load_n(&slot.ready, __ATOMIC_ACQUIRE);
      if (ready == 0 && __atomic_compare_exchange_n(&slot.ready, &ready, being_written, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) {
        Record entry = record;
        entry.ready = being_written;
        entry.count = 1;
        slot = entry;
        __atomic_store_n(&slot.ready, complete, __ATOMIC_RELEASE);
        add(header_->records, std::uint32_t{1});
        return;
      }
      while (ready == being_written) ready = __atomic_load_n(&slot.ready, __ATOMIC_ACQUIRE);
      if (same_race(slot, record)) {
        add(slot.count, std::uint64_t{1});
        return;
      }
    }
    add(header_->dropped, std::uint64_t{1});
  }

 private:
  // The table lies in shared memory of plain structs; std::atomic_ref is C++20.
  template <class T>
  static void add(T& counter, T value) {
    __atomic_fetch_add(&counter, value, __ATOMIC_RELAXED);
  }
  static void set_bits(std::uint32_t& bits, std::uint32_t more) { __atomic_fetch_or(&bits, more, __ATOMIC_RELAXED); }

  static constexpr std::uint32_t being_written = 1, complete = 2;

  static std::size_t bytes_for(std::uint32_t kernels, std::uint32_t records) {
    return sizeof(RecordHeader) + kernels * sizeof(KernelEntry) + records * sizeof(Record);
  }

  void map() {
    void* memory = MAP_FAILED;
    RecordHeader sizes{};
    sizes.kernel_capacity = default_kernel_capacity;
    sizes.record_capacity = default_record_capacity;
    if (const char* path = environment_text("HIRACE_RECORDS")) {
      const int file = open(path, O_RDWR | O_CLOEXEC);
      if (file < 0 || pread(file, &sizes, sizeof sizes, 0) != static_cast<ssize_t>(sizeof sizes) ||
          sizes.kernel_capacity == 0 || sizes.record_capacity == 0) {
        std::fprintf(stderr, "hirace: failed to open the record file %s\n", path);
        std::_Exit(2);
      }
      memory = mmap(nullptr, bytes_for(sizes.kernel_capacity, sizes.record_capacity), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
      close(file);
      shared_ = true;
    } else {
      memory = mmap(nullptr, bytes_for(sizes.kernel_capacity, sizes.record_capacity), PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    }
    if (memory == MAP_FAILED) {
      std::fputs("hirace: failed to map the record table\n", stderr);
      std::_Exit(2);
    }
    auto* bytes = static_cast<char*>(memory);
    header_ = reinterpret_cast<RecordHeader*>(bytes);
    header_->kernel_capacity = sizes.kernel_capacity;
    header_->record_capacity = sizes.record_capacity;
    kernels_ = reinterpret_cast<KernelEntry*>(bytes + sizeof(RecordHeader));
    records_ = reinterpret_cast<Record*>(bytes + bytes_for(sizes.kernel_capacity, 0));
  }

  RecordHeader* header_ = nullptr;
  KernelEntry* kernels_ = nullptr;
  Record* records_ = nullptr;
  bool shared_ = false;
  std::mutex kernels_mutex_;
};

// Made before main(), so that the command knows that the program started.
inline Recorder global_recorder;
inline Recorder& recorder() { return global_recorder; }

}  // namespace hirace::cpu
