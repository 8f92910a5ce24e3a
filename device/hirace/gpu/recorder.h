// The race records of this process (record.h), in the file that the command
// shares with us or, without it, in memory that is printed at exit.
#pragma once

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>

#include "../record_text.h"

namespace hirace::gpu {

class Recorder {
 public:
  Recorder() {
    map();
    std::memcpy(header_->magic, record_magic, sizeof record_magic);
  }
  // The end of a process that never got as far as a launch.
  ~Recorder() { finish(); }
  Recorder(const Recorder&) = delete;
  Recorder& operator=(const Recorder&) = delete;

  // Normal end of the process: what was recorded is complete.
  void finish() {
    if (header_->finished != 0) return;
    header_->finished = 1;
    if (!shared_) print_report(stderr, *header_, kernels_, records_);
  }

  RecordHeader& header() { return *header_; }
  KernelEntry& kernel(std::uint32_t number) { return kernels_[number]; }
  Record* records() { return records_; }
  std::uint32_t capacity() const { return header_->record_capacity; }

  // The number of a kernel in the table, by name; kernels that no longer fit
  // share the last entry.
  std::uint32_t kernel_number(const char* name) {
    for (std::uint32_t i = 0; i < header_->kernels; ++i) {
      if (std::strncmp(kernels_[i].name, name, sizeof kernels_[i].name - 1) == 0) return i;
    }
    if (header_->kernels == header_->kernel_capacity) return header_->kernel_capacity - 1;
    std::strncpy(kernels_[header_->kernels].name, name, sizeof kernels_[0].name - 1);
    return header_->kernels++;
  }

  // Adds a record that the host made, when no more come from a device.
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
  static std::size_t bytes_for(std::uint32_t kernels, std::uint32_t records) {
    return sizeof(RecordHeader) + kernels * sizeof(KernelEntry) + records * sizeof(Record);
  }

  void map() {
    RecordHeader sizes{};
    sizes.kernel_capacity = default_kernel_capacity;
    sizes.record_capacity = default_record_capacity;
    int file = -1;
    const char* path = std::getenv("HIRACE_RECORDS");
    shared_ = path != nullptr && path[0] != '\0';
    if (shared_) {
      file = open(path, O_RDWR | O_CLOEXEC);
      if (file < 0 || pread(file, &sizes, sizeof sizes, 0) != static_cast<ssize_t>(sizeof sizes) ||
          sizes.kernel_capacity == 0 || sizes.record_capacity == 0) {
        std::fprintf(stderr, "hirace: failed to open the record file %s\n", path);
        std::_Exit(2);
      }
    }
    void* memory = mmap(nullptr, bytes_for(sizes.kernel_capacity, sizes.record_capacity), PROT_READ | PROT_WRITE,
                        shared_ ? MAP_SHARED : MAP_PRIVATE | MAP_ANONYMOUS, file, 0);
    if (memory == MAP_FAILED) {
      std::fputs("hirace: failed to map the record table\n", stderr);
      std::_Exit(2);
    }
    if (shared_) close(file);
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
};

// Made before main(), so that the command knows that the program started.
inline Recorder global_recorder;
inline Recorder& recorder() { return global_recorder; }

}  // namespace hirace::gpu
