// The race records of this process (record.h): in a file shared with the command or, without the
// command, in memory that is printed at exit.
#pragma once

#include <cstring>

#include "../records/record_file.h"
#include "../records/record_text.h"

namespace hirace::gpu {

class Recorder {
 public:
  // Reports a mistake in the options before the program starts.
  Recorder() { options(); }
  // The end of a process that made no launch.
  ~Recorder() { finish(); }
  Recorder(const Recorder&) = delete;
  Recorder& operator=(const Recorder&) = delete;

  // Normal end of the process: the records are complete.
  void finish() {
    if (header_->finished != 0) return;
    header_->finished = 1;
    show();
    if (!found_ || options().exit_code == 0) return;
    std::fflush(nullptr);
    std::_Exit(options().exit_code);
  }

  // Prints the records once, unless the command shows them. No more records follow.
  void show() {
    if (!file_.shared && !shown_) found_ = print_report(*header_, kernels_, records_);
    shown_ = true;
  }

  RecordHeader& header() { return *header_; }
  KernelEntry& kernel(std::uint32_t number) { return kernels_[number]; }
  Record* records() { return records_; }
  Spread* spreads() { return file_.spreads; }
  std::uint32_t capacity() const { return header_->record_capacity; }

  // The number of a kernel in the table, by name; kernels that do not fit share the last entry.
  std::uint32_t kernel_number(const char* name) {
    for (std::uint32_t i = 0; i < header_->kernels; ++i) {
      if (std::strncmp(kernels_[i].name, name, sizeof kernels_[i].name - 1) == 0) return i;
    }
    return name_kernel(file_, name);
  }

  // Takes over records as they were first copied to host memory, while kernels run or after the
  // device is lost. Returns their number.
  std::uint32_t take_first_states(const Record* mirror) {
    std::uint32_t count = 0;
    for (std::uint32_t i = 0; i < capacity(); ++i) {
      Record& slot = records_[i];
      if (slot.ready == 2 || __atomic_load_n(&mirror[i].ready, __ATOMIC_ACQUIRE) != 2) continue;
      slot = mirror[i];
      ++count;
    }
    header_->records += count;
    return count;
  }

  // Adds a record made by the host, once the device produces no more.
  void add(const Record& record) {
    for (std::uint32_t probe = 0; probe < capacity(); ++probe) {
      Record& slot = records_[(race_hash(record) + probe) % capacity()];
      if (slot.ready != 0) continue;
      slot = record;
      slot.count = 1;
      slot.ready = 2;
      ++header_->records;
      return;
    }
    ++header_->dropped;
  }

 private:
  const RecordFile file_ = map_records(Backend::gpu);
  RecordHeader* const header_ = file_.header;
  KernelEntry* const kernels_ = file_.kernels;
  Record* const records_ = file_.records;
  bool found_ = false;  // findings were printed
  bool shown_ = false;
};

// Constructed before main(), so that the command knows that the program started.
inline Recorder global_recorder;
inline Recorder& recorder() { return global_recorder; }

}  // namespace hirace::gpu
