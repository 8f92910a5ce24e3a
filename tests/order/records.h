// Includes the executor, and reads the races that it finds.
#pragma once

#include <hirace/hirace.cuh>
#include <hirace/records/record_file.h>
#include <hirace/records/record_text.h>

#include <sys/mman.h>
#include <unistd.h>

#include <cstdlib>
#include <string>
#include <utility>

// The table of race records, as the command `hirace` would see it.
class Records {
 public:
  explicit Records(char** arguments) : file_(map(arguments)) {}

  // Calls `visit` with each race, and forgets all.
  template <class Visit>
  void take(const Visit& visit) {
    for (std::uint32_t at = 0; file_.header->records != 0 && at < capacity; ++at) {
      hirace::Record& record = file_.records[at];
      if (record.ready != hirace::record_complete) continue;
      if (record.type == hirace::RecordType::fault && !hirace::is_warning(record.fault)) std::exit(1);
      if (record.type == hirace::RecordType::race) visit(record);
      record.ready = hirace::record_free;
      --file_.header->records;
    }
  }
  bool take_limits() { return std::exchange(file_.header->limits, 0u) != 0; }

 private:
  static constexpr std::uint32_t capacity = 256;

  static hirace::RecordFile map(char** arguments) {
    if (std::getenv("HIRACE_RECORDS") == nullptr) restart(arguments);
    return hirace::map_records(hirace::Backend::cpu);
  }

  // The executor looks for its file before main().
  [[noreturn]] static void restart(char** arguments) {
    const int file = memfd_create("records", 0);
    hirace::RecordHeader header{};
    header.kernel_capacity = 4;
    header.record_capacity = capacity;
    const std::uint64_t bytes = hirace::RecordFileLayout{header.kernel_capacity, header.record_capacity}.tables();
    if (file < 0 || ftruncate(file, static_cast<off_t>(bytes)) != 0 || write(file, &header, sizeof header) != sizeof header) std::exit(1);
    setenv("HIRACE_RECORDS", ("/proc/self/fd/" + std::to_string(file)).c_str(), 1);
    execv("/proc/self/exe", arguments);
    std::exit(1);
  }

  const hirace::RecordFile file_;
};
