// Where a process keeps its records: in the file that the command names, shared with it, or,
// without the command, in private memory.
#pragma once

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "record.h"

namespace hirace {

struct RecordFile {
  RecordHeader* header;
  KernelEntry* kernels;
  Record* records;
  Spread* spreads;            // of the records
  Whereabouts* whereabouts;  // likewise
  std::uint32_t process;  // the number of this one, from 1
  bool shared;  // the `hirace` command shows the records
};

// The executable of this process, its command line, and the test that started it.
inline void describe_process(ProcessEntry& entry) {
  const ssize_t length = readlink("/proc/self/exe", entry.executable, sizeof entry.executable - 1);
  if (length < 0 || length == sizeof entry.executable - 1) entry.executable[0] = '\0';
  const int file = ::open("/proc/self/cmdline", O_RDONLY | O_CLOEXEC);
  if (file >= 0) {
    const ssize_t bytes = ::read(file, entry.command, sizeof entry.command - 1);
    for (ssize_t i = 0; i + 1 < bytes; ++i) {
      if (entry.command[i] == '\0') entry.command[i] = ' ';
    }
    close(file);
  }
  const char* test = std::getenv("HIRACE_TEST");
  if (test == nullptr) test = std::getenv("PYTEST_CURRENT_TEST");
  if (test != nullptr) std::strncpy(entry.test, test, sizeof entry.test - 1);
}

// Maps the records and marks the program as started. On failure it ends the process, because
// nothing could be reported.
inline RecordFile map_records(Backend backend) {
  RecordHeader sizes{};
  sizes.kernel_capacity = default_kernel_capacity;
  sizes.record_capacity = default_record_capacity;
  int file = -1;
  const char* path = std::getenv("HIRACE_RECORDS");
  const bool shared = path != nullptr && path[0] != '\0';
  if (shared) {
    file = ::open(path, O_RDWR | O_CLOEXEC);
    if (file < 0 || pread(file, &sizes, sizeof sizes, 0) != static_cast<ssize_t>(sizeof sizes) || sizes.kernel_capacity == 0 ||
        sizes.record_capacity == 0) {
      std::fprintf(stderr, "hirace: failed to open the record file %s\n", path);
      std::_Exit(2);
    }
  }
  const RecordFileLayout layout{sizes.kernel_capacity, sizes.record_capacity};
  void* memory = mmap(nullptr, layout.tables(), PROT_READ | PROT_WRITE,
                      shared ? MAP_SHARED : MAP_PRIVATE | MAP_ANONYMOUS, file, 0);
  if (memory == MAP_FAILED) {
    std::fputs("hirace: failed to map the record table\n", stderr);
    std::_Exit(2);
  }
  if (shared) close(file);
  auto* bytes = static_cast<char*>(memory);
  RecordFile mapped{reinterpret_cast<RecordHeader*>(bytes), reinterpret_cast<KernelEntry*>(bytes + layout.kernels()),
                          reinterpret_cast<Record*>(bytes + layout.records()),
                          reinterpret_cast<Spread*>(bytes + layout.spreads()),
                          reinterpret_cast<Whereabouts*>(bytes + layout.whereabouts()), 0, shared};
  mapped.header->kernel_capacity = sizes.kernel_capacity;
  mapped.header->record_capacity = sizes.record_capacity;
  std::memcpy(mapped.header->magic, record_magic, sizeof record_magic);
  mapped.header->backend = backend;
  // A library may have a recorder of its own.
  const std::int32_t process = getpid();
  const bool is_new = __atomic_exchange_n(&mapped.header->process, process, __ATOMIC_RELAXED) != process;
  mapped.process = __atomic_add_fetch(&mapped.header->processes, is_new ? 1u : 0u, __ATOMIC_RELAXED);
  auto* const processes = reinterpret_cast<ProcessEntry*>(bytes + layout.processes());
  if (mapped.process > sizes.kernel_capacity) mapped.process = 0;
  if (is_new && mapped.process != 0) describe_process(processes[mapped.process - 1]);
  return mapped;
}

// Takes an entry for a kernel. If another process does so at the same time, each gets its own
// entry, even for the same name.
inline std::uint32_t name_kernel(const RecordFile& file, const char* name) {
  std::uint32_t number = __atomic_load_n(&file.header->kernels, __ATOMIC_RELAXED);
  do {
    if (number >= file.header->kernel_capacity) return file.header->kernel_capacity - 1;
  } while (!__atomic_compare_exchange_n(&file.header->kernels, &number, number + 1, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED));
  std::strncpy(file.kernels[number].name, name, sizeof file.kernels[number].name - 1);
  return number;
}

}  // namespace hirace
