// Shared by the programs of this directory: kernels on the emulated GPU, and expectations.
#pragma once

#include <cstdio>
#include <cstdlib>

#include "hirace/records/site_table.h"
#include "hirace/gpu/runtime.h"
#include "hirace/gpu/host.inl.h"

#define EXPECT(condition)                                                       \
  do {                                                                          \
    if (!(condition)) {                                                         \
      std::fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #condition); \
      std::_Exit(1);                                                            \
    }                                                                           \
  } while (false)

namespace gpu = hirace::gpu;
using hirace::AccessKind;

// Runs `body` as a kernel that no hook has announced.
template <class Body>
void run_grid(unsigned blocks, unsigned threads, const Body& body) {
  made_up::run_grid(blocks, threads, [&] {
    hirace::KernelScope scope;
    body();
  });
}

// The instrumenter's output for a launch.
template <class Body>
void launch(const char* kernel, unsigned blocks, unsigned threads, const Body& body, hirace::SiteId site = 1) {
  CUkern_st handle{{}, [&](void**) {
                     hirace::KernelScope scope;
                     body();
                   }};
  void* no_arguments[] = {nullptr};
  hirace::begin_launch({kernel, site, true, hirace::monitor_both, 0, ~0u}),
      __cudaLaunchKernel(&handle, blocks, threads, no_arguments, 0, nullptr);
}

// The hooks of access.h, with the device's part of them.
template <class T>
T& read(hirace::SiteId site, T& lvalue) {
  return gpu::check_sized<sizeof(T)>(AccessKind::read, &lvalue, site), lvalue;
}
template <class T>
T& write(hirace::SiteId site, T& lvalue) {
  return gpu::check_sized<sizeof(T)>(AccessKind::write, &lvalue, site), lvalue;
}

inline hirace::RecordHeader& header() { return gpu::recorder().header(); }

// The number of accesses that raced, in all launches before the last one.
inline std::uint64_t races() {
  std::uint64_t count = 0;
  for (std::uint32_t i = 0; i < gpu::recorder().capacity(); ++i) {
    const hirace::Record& record = gpu::recorder().records()[i];
    if (record.ready == 2 && record.type == hirace::RecordType::race) count += record.count;
  }
  return count;
}
