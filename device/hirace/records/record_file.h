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
  bool shared;  // the `hirace` command shows the records
};

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
  const RecordFile mapped{reinterpret_cast<RecordHeader*>(bytes), reinterpret_cast<KernelEntry*>(bytes + layout.kernels()),
                          reinterpret_cast<Record*>(bytes + layout.records()),
                          reinterpret_cast<Spread*>(bytes + layout.spreads()),
                          reinterpret_cast<Whereabouts*>(bytes + layout.whereabouts()), shared};
  mapped.header->kernel_capacity = sizes.kernel_capacity;
  mapped.header->record_capacity = sizes.record_capacity;
  std::memcpy(mapped.header->magic, record_magic, sizeof record_magic);
  mapped.header->backend = backend;
  // A library may have a recorder of its own.
  const std::int32_t process = getpid();
  if (__atomic_exchange_n(&mapped.header->process, process, __ATOMIC_RELAXED) != process) {
    __atomic_fetch_add(&mapped.header->processes, 1u, __ATOMIC_RELAXED);
  }
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
